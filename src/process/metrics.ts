import { cpuUsage, memoryUsage } from 'node:process'
import { currentTrace, recordPart } from './trace'

/** Metrics of this process since its start, in the terms and the text format of Prometheus. */
type Labels = Readonly<Record<string, string>>
type Sample = { suffix: string; labels: Labels; value: number }
export type Family = {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: readonly Sample[]
}

/** Maximum number of series of one metric, so that a client with made-up values cannot fill the memory. */
const seriesMax = 1_000
const families = new Map<string, () => Family>()

/** Creates a counter, whose name ends in `_total`. Returns a function that adds to it. */
function counter(name: string, help: string): (labels?: Labels, by?: number) => void {
  const series = new Map<string, Sample>()
  families.set(name, () => ({ name, help, type: 'counter', samples: [...series.values()] }))
  return (labels = {}, by = 1) => {
    const sample = seriesOf(series, labels, () => ({ suffix: '', labels, value: 0 }))
    if (sample) sample.value += by
  }
}

type Distribution = { labels: Labels; counts: number[]; sum: number }

/** Creates a histogram with these upper bounds of its buckets. Returns a function that adds a value. */
function histogram(
  name: string,
  help: string,
  bounds: readonly number[],
): (value: number, labels?: Labels) => void {
  const series = new Map<string, Distribution>()
  families.set(name, () => ({
    name,
    help,
    type: 'histogram',
    samples: [...series.values()].flatMap((each) => bucketsOf(each, bounds)),
  }))
  return (value, labels = {}) => {
    const found = seriesOf(series, labels, () => ({
      labels,
      counts: new Array(bounds.length + 1).fill(0),
      sum: 0,
    }))
    if (!found) return
    let at = 0
    while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1
    found.counts[at] = (found.counts[at] ?? 0) + 1
    found.sum += value
  }
}

function seriesOf<T>(series: Map<string, T>, labels: Labels, make: () => T): T | null {
  const key = Object.values(labels).join('\n')
  const known = series.get(key)
  if (known || series.size >= seriesMax) return known ?? null
  const made = make()
  series.set(key, made)
  return made
}

/** The samples of a histogram; each bucket includes the counts of the smaller ones. */
function bucketsOf({ labels, counts, sum }: Distribution, bounds: readonly number[]): Sample[] {
  let value = 0
  const buckets = counts.map((count, at) => {
    value += count
    return { suffix: '_bucket', labels: { ...labels, le: String(bounds[at] ?? '+Inf') }, value }
  })
  return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value }]
}

/** A gauge whose values are determined at each scrape: one value, or several with labels. */
export function gauge(name: string, help: string, values: number | readonly [Labels, number][]): Family {
  const samples = typeof values === 'number' ? [{ labels: {}, value: values }] : values.map(labelled)
  return { name, help, type: 'gauge', samples: samples.map((sample) => ({ suffix: '', ...sample })) }
}

const labelled = ([labels, value]: readonly [Labels, number]) => ({ labels, value })

/** All metrics that this process has counted, and those of the process itself. */
export function familiesOfProcess(): Family[] {
  const { user, system } = cpuUsage()
  const cpu = [{ suffix: '', labels: {}, value: (user + system) / 1e6 }]
  return [
    ...[...families.values()].map((read) => read()),
    { name: 'process_cpu_seconds_total', help: 'Processor time used.', type: 'counter', samples: cpu },
    gauge('process_resident_memory_bytes', 'Memory in use.', memoryUsage.rss()),
    gauge('process_start_time_seconds', 'When it started, in Unix time.', startedAtMs / 1_000),
  ]
}

const startedAtMs = Date.now()

/** Formats metrics for Prometheus. */
export function metricsText(all: readonly Family[]): string {
  const lines = all.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(({ suffix, labels, value }) => `${name}${suffix}${labelText(labels)} ${value}`),
  ])
  return `${lines.join('\n')}\n`
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`,
  )
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const addRequest = counter('nocturne_http_requests_total', 'Requests answered, by method and status.')
const addDuration = histogram(
  'nocturne_http_request_duration_seconds',
  'Time from a request to its answer, by the line of the route.',
  durationBounds,
)

/** Counts a request. `route` is a line of the table of routes, never an address. */
export function countRequest(
  { method, route }: { method: string; route: string },
  status: number,
  durationMs: number,
): void {
  // Unknown methods are counted as one, so that a client cannot create series.
  addRequest({ method: /^[A-Z]{3,7}$/.test(method) ? method : 'OTHER', status: String(status) })
  addDuration(durationMs / 1_000, { route })
}

export const countEvents = counter(
  'nocturne_analytics_events_total',
  'Analytics events received: accepted, or dropped for a reason.',
)
export const countRead = counter(
  'nocturne_replica_reads_total',
  'Reads that may lag, where a replica is named: by kind, and from which server they came.',
)
export const countJob = counter('nocturne_jobs_ended_total', 'Tries of jobs, by kind and how they ended.')
export const countAudioBytes = counter('nocturne_audio_bytes_total', 'Bytes of audio in answers.')
export const countSpans = counter(
  'nocturne_spans_total',
  'Spans for OpenTelemetry: sent, refused by the collector, or dropped while it was away.',
)
const observeProviderCall = histogram(
  'nocturne_provider_call_duration_seconds',
  'Calls to models, voices and push services, by host and how they ended.',
  [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
)

const observeLag = histogram(
  'nocturne_event_loop_lag_seconds',
  'How late a timer of every second is: how long the event loop was held.',
  [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1],
)
const lagEveryMs = 1_000

/** Measures how long the event loop is blocked, until it is stopped. */
export function watchEventLoop(): { stop(): Promise<void> } {
  let dueAt = performance.now() + lagEveryMs
  const timer = setInterval(() => {
    const now = performance.now()
    observeLag(Math.max(0, now - dueAt) / 1_000)
    dueAt = now + lagEveryMs
  }, lagEveryMs)
  return { stop: async () => clearInterval(timer) }
}

/** Measures a call of a provider at `host`, and returns its result. */
export async function measuredCall<T>(host: string, call: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const trace = currentTrace()
  const end = (outcome: string) => {
    observeProviderCall((performance.now() - startedAt) / 1_000, { host, outcome })
    recordPart(trace, () => ({
      name: `call ${host}`,
      kind: 'client',
      startedAt,
      attributes: { 'server.address': host, 'nocturne.outcome': outcome },
      isFailed: outcome !== 'ok',
    }))
  }
  try {
    const answer = await call()
    end(answer instanceof Response && !answer.ok ? String(answer.status) : 'ok')
    return answer
  } catch (error) {
    end('failed')
    throw error
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { figure, heading, notMeasured } from './report'
import { benchToken, forget, type Served, serveNocturne } from './servers'

const requestsPerSecond = 20
const seconds = 15
/** Until the server's code is compiled, because the first requests of a process are its slowest. */
const warmUpSeconds = 10
const rounds = 3
/** Ticks per second in /proc, the same on every Linux that Bun runs on. */
const ticksPerSecond = 100

type Measured = { p50Ms: number; p95Ms: number; serverMs: number; voiceMs: number | null }

/**
 * Measures pages while the demo library is narrated, beside the same pages of the same server while nothing is, in
 * turns.
 */
export async function benchNarrating(): Promise<void> {
  heading(
    `Pages while the demo library is narrated (${requestsPerSecond} req/s for ${rounds} × ${seconds} s, no page cached)`,
  )
  const server = await serveNocturne({ DEMO: 'on' })
  try {
    await narrationRuns(server)
    await visit(server, warmUpSeconds)
    const pairs: { narrating: Measured; quiet: Measured }[] = []
    for (let round = 0; round < rounds; round += 1) {
      const narrating = await visit(server)
      const cancelled = await cancelJobs(server)
      const quiet = await visit(server)
      pairs.push({ narrating, quiet })
      for (const id of cancelled) await cancelOrRetry(server, id, 'retry')
      await narrationRuns(server)
    }
    show('p50', pairs, ({ p50Ms }) => p50Ms)
    show('p95', pairs, ({ p95Ms }) => p95Ms)
    show('processor time of the server', pairs, ({ serverMs }) => serverMs)
    const voice = median(pairs.map(({ narrating }) => narrating.voiceMs ?? Number.NaN))
    if (Number.isNaN(voice)) notMeasured('processor time of the voice', 'this system has no /proc')
    else figure('processor time of the voice', voice / seconds, 'ms/s')
  } finally {
    await server.stop()
    forget(server.dataDir)
  }
}

/** Reports the medians, and the median of the rounds' ratios. */
function show(
  name: string,
  pairs: readonly { narrating: Measured; quiet: Measured }[],
  of: (measured: Measured) => number,
): void {
  figure(`${name} while narrating`, median(pairs.map(({ narrating }) => of(narrating))), 'ms')
  figure(`${name} in silence`, median(pairs.map(({ quiet }) => of(quiet))), 'ms')
  const ratio = median(pairs.map(({ narrating, quiet }) => of(narrating) / of(quiet)))
  figure(`${name}: narrating / in silence`, ratio, '', { atMost: 1.1 })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

async function narrationRuns(server: Served): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await jobsOf(server, 'running')).length > 0) return
    await Bun.sleep(100)
  }
  throw new Error('No narration of the demo library has begun.')
}

async function jobsOf({ url }: Served, state: string): Promise<{ id: string }[]> {
  const response = await fetch(`${url}/api/jobs?state=${state}&limit=100`, { headers: asOperator })
  return response.json()
}

/**
 * Cancels the queued jobs, the next ones first, so that none of them starts. Returns their ids in the order of the
 * queue.
 */
async function cancelJobs(server: Served): Promise<string[]> {
  const cancelled: string[] = []
  for (const state of ['queued', 'running'])
    for (const { id } of await jobsOf(server, state)) {
      await cancelOrRetry(server, id, 'cancel')
      cancelled.push(id)
    }
  return cancelled.toSorted()
}

async function cancelOrRetry({ url }: Served, id: string, action: 'cancel' | 'retry'): Promise<void> {
  await fetch(`${url}/api/jobs/${id}/${action}`, { method: 'POST', headers: asOperator })
}

const asOperator = { authorization: `Bearer ${benchToken}`, 'content-type': 'application/json' }

/** Requests lists by different words at even intervals, however long the answers take. */
async function visit({ url, pid }: Served, forSeconds = seconds): Promise<Measured> {
  const before = { server: processorMs(pid), voice: voiceMs(pid) }
  const startedAt = performance.now()
  const answers: Promise<number>[] = []
  for (let index = 0; index < requestsPerSecond * forSeconds; index += 1) {
    await Bun.sleep(Math.max(0, startedAt + (index * 1_000) / requestsPerSecond - performance.now()))
    const sentAt = performance.now()
    answers.push(
      fetch(`${url}/stories?q=${wordOf(index)}`).then(async (response) => {
        await response.text()
        return performance.now() - sentAt
      }),
    )
  }
  const times = (await Promise.all(answers)).toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  const voice = voiceMs(pid)
  return {
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    serverMs: (processorMs(pid) ?? 0) - (before.server ?? 0),
    voiceMs: voice === null || before.voice === null ? null : Math.max(0, voice - before.voice),
  }
}

const wordOf = (index: number) => `${['the', 'a', 'in', 'of', 'rain'][index % 5]}&n=${index}`

/** Returns the processor time of a process including its threads; null without /proc. */
function processorMs(pid: number | string): number | null {
  const fields = statOf(pid)
  return fields && ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond
}

/** Returns the processor time of the server's children, including ended ones. */
function voiceMs(pid: number): number | null {
  const ended = statOf(pid)
  if (!ended) return null
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && statOf(name)?.[1] === String(pid),
  )
  const running = children.reduce((sum, child) => sum + (processorMs(child) ?? 0), 0)
  return running + ((Number(ended[13]) + Number(ended[14])) * 1_000) / ticksPerSecond
}

/** Returns the fields of /proc/…/stat from the third one on. The second may contain spaces. */
function statOf(pid: number | string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? null
  } catch {
    return null
  }
}

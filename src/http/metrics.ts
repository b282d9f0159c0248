import { memoryUsage } from 'node:process'

/** Counters of this process since its start, in the Prometheus text format. */
const requestCounts = new Map<string, number>()
let durationSecondsTotal = 0
const startedAt = Date.now()

export function countRequest(method: string, status: number, durationMs: number): void {
  const key = `method="${/^[A-Z]{3,7}$/.test(method) ? method : 'OTHER'}",status="${status}"`
  requestCounts.set(key, (requestCounts.get(key) ?? 0) + 1)
  durationSecondsTotal += durationMs / 1_000
}

/** Other counters, by name: `nocturne_…_total`. */
const counters = new Map<string, number>()

export function countEvent(name: string, by = 1): void {
  counters.set(name, (counters.get(name) ?? 0) + by)
}

export function metricsText(gauges: Record<string, number>): string {
  const lines = ['# TYPE nocturne_http_requests_total counter']
  for (const [key, count] of requestCounts) lines.push(`nocturne_http_requests_total{${key}} ${count}`)
  lines.push(
    '# TYPE nocturne_http_request_duration_seconds_sum counter',
    `nocturne_http_request_duration_seconds_sum ${durationSecondsTotal}`,
  )
  for (const [name, count] of counters)
    lines.push(`# TYPE nocturne_${name}_total counter`, `nocturne_${name}_total ${count}`)
  const all = {
    process_resident_memory_bytes: memoryUsage.rss(),
    process_start_time_seconds: startedAt / 1_000,
    ...gauges,
  }
  for (const [name, value] of Object.entries(all)) lines.push(`# TYPE ${name} gauge`, `${name} ${value}`)
  return `${lines.join('\n')}\n`
}

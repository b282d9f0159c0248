/** When this process last received a request, by `performance.now()`. */
let lastRequestAtMs = Number.NEGATIVE_INFINITY

/** Orchestrators request these every few seconds, day and night. */
const probes = /\/(?:healthz|readyz|metrics)$/

/** Notes that a request has arrived or been answered; nobody waits for a probe, so it does not count. */
export function noteRequest(url: string): void {
  if (!probes.test(url)) lastRequestAtMs = performance.now()
}

export function findLastRequestMs(): number {
  return lastRequestAtMs
}

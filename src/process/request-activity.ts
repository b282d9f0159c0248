/** When this process was last asked for something, by `performance.now()`. */
let lastRequestAtMs = Number.NEGATIVE_INFINITY

/** Orchestrators ask these every few seconds, day and night. */
const probes = /\/(?:healthz|readyz|metrics)$/

/** Called with the address when a request comes and when it is answered; a probe is nobody who waits. */
export function noteRequest(url: string): void {
  if (!probes.test(url)) lastRequestAtMs = performance.now()
}

export function findLastRequestMs(): number {
  return lastRequestAtMs
}

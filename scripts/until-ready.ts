const secondsMax = 60

/**
 * Waits until the program answers that it is ready, for a minute by the clock: one that takes requests and answers none
 * is not asked for hours. `requireAlive` throws where it never will be.
 */
export function untilReady(origin: string, requireAlive?: () => void): Promise<void> {
  return untilAnswering(`${origin}/readyz`, requireAlive)
}

/** The same of any address. */
export async function untilAnswering(url: string, requireAlive: () => void = () => {}): Promise<void> {
  const deadline = performance.now() + secondsMax * 1_000
  for (;;) {
    requireAlive()
    const said = await complaintOf(url)
    if (said === null) return
    if (performance.now() > deadline)
      throw new Error(`${url} did not get ready in a minute. It says: ${said}`)
    await Bun.sleep(25)
  }
}

/** Null where it answers well, otherwise what it says. */
async function complaintOf(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    return response.ok ? null : `${response.status} ${await response.text()}`
  } catch (error) {
    return String(error)
  }
}

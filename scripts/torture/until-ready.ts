const secondsMax = 60

/**
 * Waits until the program answers that it is ready, for a minute by the clock: one that takes requests and answers none
 * is not asked for hours. `requireAlive` throws where it never will be.
 */
export async function untilReady(origin: string, requireAlive: () => void = () => {}): Promise<void> {
  const deadline = performance.now() + secondsMax * 1_000
  for (;;) {
    requireAlive()
    const said = await readyz(origin)
    if (said === null) return
    if (performance.now() > deadline)
      throw new Error(`${origin} did not get ready in a minute. It says: ${said}`)
    await Bun.sleep(25)
  }
}

/** Null where it is ready, otherwise what it says. */
async function readyz(origin: string): Promise<string | null> {
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) })
    return response.ok ? null : `${response.status} ${await response.text()}`
  } catch (error) {
    return String(error)
  }
}

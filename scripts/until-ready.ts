const secondsMax = 60

/**
 * Waits until the program reports that it is ready, for a minute at most, even if it accepts requests and answers none.
 * `requireAlive` throws if it never will be ready.
 */
export function untilReady(origin: string, requireAlive?: () => void): Promise<void> {
  return untilAnswering(`${origin}/readyz`, requireAlive)
}

/** Like `untilReady`, for any address. */
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

/** Returns null if the program answers well, otherwise its answer. */
async function complaintOf(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    return response.ok ? null : `${response.status} ${await response.text()}`
  } catch (error) {
    return String(error)
  }
}

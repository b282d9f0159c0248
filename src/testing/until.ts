const secondsMax = 180

const describers = new Set<() => string>()

/** Adds what `describe` answers to the error of every wait in vain: the state of a browser, for example. */
export function describeOnTimeout(describe: () => string): void {
  describers.add(describe)
}

/**
 * Polls until the result is truthy, and returns it: the way for a test to wait for a state. Throws after three
 * minutes, with the condition: before the test's own limit, and later than a busy machine needs.
 */
export async function until<T>(
  read: () => T | Promise<T>,
): Promise<Exclude<T, false | 0 | '' | null | undefined>>
export async function until(read: () => unknown): Promise<unknown> {
  const deadline = Date.now() + secondsMax * 1_000
  for (;;) {
    const answer = await read()
    if (answer) return answer
    if (Date.now() > deadline) {
      const words = [
        `Waited for ${secondsMax} s in vain for ${read}`,
        ...[...describers].map((each) => each()),
      ]
      throw new Error(words.filter(Boolean).join('\n\n'))
    }
    await Bun.sleep(10)
  }
}

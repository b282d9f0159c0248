const secondsMax = 180

const describers = new Set<() => string>()

/** Adds the result of `describe`, such as the state of a browser, to the error of every wait that times out. */
export function describeOnTimeout(describe: () => string): void {
  describers.add(describe)
}

/**
 * Polls until the result is truthy, and returns it. Tests wait for a state with this. Throws after three minutes, with
 * the condition: earlier than the test's own timeout, and later than a busy machine needs.
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

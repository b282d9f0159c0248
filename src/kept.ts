/**
 * Remembers what a pure function answered for a key: the newest `entriesMax` of them. For work that is the
 * same at every request (a cover, an island's first markup).
 */
export function keepResults<Result>(entriesMax: number) {
  const kept = new Map<string, Result>()
  return (key: string, make: () => Result): Result => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = make()
    kept.set(key, made)
    if (kept.size > entriesMax) kept.delete(kept.keys().next().value ?? '')
    return made
  }
}

/**
 * Remembers what was asked of somewhere slow: at most `entriesMax` answers. One older than `freshMs` is still
 * given, while a new one is fetched for those who come next, one at a time; one older than ten times that is
 * not. Asked for by many at once, it is fetched once; a failure is not remembered. Its `keepReady` fetches
 * before anybody asks.
 */
export function keepForAWhile<Result>(freshMs: number, entriesMax: number) {
  type Entry = { at: number; result: Promise<Result>; isRenewing: boolean }
  const kept = new Map<string, Entry>()
  /** Renewals wait for each other: what was asked for together grows old together. */
  let line = Promise.resolve()

  function ask(key: string, fetch: () => Promise<Result>): Promise<Result> {
    const result = fetch()
    keep(key, { at: performance.now(), result, isRenewing: false })
    result.catch(() => kept.get(key)?.result === result && kept.delete(key))
    return result
  }

  async function renew(key: string, entry: Entry, fetch: () => Promise<Result>): Promise<void> {
    entry.isRenewing = true
    const mine = line.then(async () => {
      const at = performance.now()
      const result = fetch()
      // The old answer stays until the new one is there; what was forgotten meanwhile stays forgotten.
      await result
      if (kept.get(key) === entry) keep(key, { at, result, isRenewing: false })
    })
    line = mine.catch(() => {})
    await line
    entry.isRenewing = false
  }

  function keep(key: string, entry: Entry): void {
    kept.delete(key)
    kept.set(key, entry)
    if (kept.size > entriesMax) kept.delete(kept.keys().next().value ?? '')
  }

  function give(key: string, fetch: () => Promise<Result>): Promise<Result> {
    const known = kept.get(key)
    if (!known || ageMsOf(known) > 10 * freshMs) return ask(key, fetch)
    if (ageMsOf(known) > freshMs && !known.isRenewing) void renew(key, known, fetch)
    return known.result
  }

  /** Fetches what is missing or older than `ageMsMax`, and waits for it; the old one is given meanwhile. */
  async function keepReady(key: string, ageMsMax: number, fetch: () => Promise<Result>): Promise<void> {
    const known = kept.get(key)
    if (!known) await ask(key, fetch)
    else if (ageMsOf(known) >= ageMsMax && !known.isRenewing) await renew(key, known, fetch)
  }

  return Object.assign(give, { keepReady })
}

function ageMsOf({ at }: { at: number }): number {
  return performance.now() - at
}

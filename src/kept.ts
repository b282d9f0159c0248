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
 * Remembers what was asked of somewhere slow, for `keptMs`: at most `entriesMax` answers. Asked for by many
 * at once, it is fetched once; a failure is not remembered.
 */
export function keepForAWhile<Result>(keptMs: number, entriesMax: number) {
  const kept = new Map<string, { at: number; result: Promise<Result> }>()
  return (key: string, fetch: () => Promise<Result>): Promise<Result> => {
    const known = kept.get(key)
    if (known && performance.now() - known.at < keptMs) return known.result
    const result = fetch()
    kept.delete(key)
    kept.set(key, { at: performance.now(), result })
    if (kept.size > entriesMax) kept.delete(kept.keys().next().value ?? '')
    result.catch(() => kept.delete(key))
    return result
  }
}

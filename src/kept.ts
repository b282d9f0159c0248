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

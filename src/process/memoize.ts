/**
 * Memoizes a pure function by a key, for work that is the same in every request (a cover, an island's first markup).
 * Starts over after `entriesMax` results. Browser-safe: the player draws covers too, and lru-cache would add 6 KB to
 * it.
 */
export function memoize<Result>(entriesMax: number) {
  const results = new Map<string, Result>()
  return (key: string, make: () => Result): Result => {
    const known = results.get(key)
    if (known !== undefined) return known
    const made = make()
    if (results.size >= entriesMax) results.clear()
    results.set(key, made)
    return made
  }
}

/** Beyond, all counts begin anew: they take some megabytes, whoever comes. */
const keysMax = 50_000

/**
 * A rate limit of this process, by key: how many of `count` fit into the rest of the minute. Windows are fixed. In
 * memory and not in the database: it limits floods, and a write for each batch would be one.
 */
export function openLimiter(perMinuteMax: number) {
  let minute = 0
  let used = new Map<string, number>()
  return (key: string, count: number): number => {
    const current = Math.floor(Date.now() / 60_000)
    if (current !== minute || used.size >= keysMax) {
      minute = current
      used = new Map()
    }
    const before = used.get(key) ?? 0
    const taken = Math.max(0, Math.min(count, perMinuteMax - before))
    used.set(key, before + taken)
    return taken
  }
}

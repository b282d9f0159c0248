/** With more keys than this all counts begin anew, so that memory stays at some megabytes, whoever sends. */
const keysMax = 50_000

/**
 * A rate limit in this process, by key, with fixed windows of a minute: returns how many of `count` are admitted. It is
 * in memory and not in the database, because it limits floods, and a write for each batch would be one.
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

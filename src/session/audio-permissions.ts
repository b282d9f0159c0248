import { LRUCache } from 'lru-cache'
import type { AudioFile } from '#src/storage/audio-file'

/**
 * Cache of the permissions to hear a file, by cookies, for five seconds: a player requests a narration in many small
 * ranges. Other instances notice a sign-out or a removal after at most that time.
 */
const permissions = new LRUCache<string, AudioFile>({ max: 10_000, ttl: 5_000 })

/**
 * The key of a permission: this address with exactly these cookies; a visitor has none. Null for a bearer token, which
 * scripts use once.
 */
export function permissionKey({ url, headers }: Request): string | null {
  if (headers.has('authorization')) return null
  return `${headers.get('host')} ${url}\n${headers.get('cookie') ?? ''}`
}

export function findPermission(key: string): AudioFile | null {
  return permissions.get(key) ?? null
}

/** The number of times that the cache was cleared. */
let clears = 0

/**
 * Call this before a permission is checked. The returned function caches it, unless the cache was cleared meanwhile:
 * the check may have read what was true before.
 */
export function startPermission(key: string): (file: AudioFile) => void {
  const clearsBefore = clears
  return (file) => {
    if (clears === clearsBefore) permissions.set(key, file)
  }
}

/**
 * Clears the cache after a sign-out, the end of access to an account, a removal or a change of a narration, so that all
 * permissions are checked again.
 */
export function clearPermissions(): void {
  clears += 1
  permissions.clear()
}

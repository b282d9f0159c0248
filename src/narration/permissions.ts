import type { AudioFile } from './storage'

/**
 * A player asks for a narration in many small ranges. What a session may hear is therefore remembered for
 * five seconds, by its cookies; other instances lag behind a sign-out or a removal by at most that.
 */
const keptMs = 5_000
const keptMax = 10_000

type Permission = { file: AudioFile; until: number }
const permissions = new Map<string, Permission>()

/**
 * What a permission is tied to: this address with these cookies, to the letter; a visitor's are empty. Null for
 * a bearer token, which scripts use once.
 */
export function permissionKey({ url, headers }: Request): string | null {
  if (headers.has('authorization')) return null
  return `${headers.get('host')} ${url}\n${headers.get('cookie') ?? ''}`
}

export function findPermission(key: string): AudioFile | null {
  const kept = permissions.get(key)
  return kept && kept.until > performance.now() ? kept.file : null
}

export function keepPermission(key: string, file: AudioFile): void {
  // Oldest first: a kept permission is never made longer, so the first of the map ends first.
  permissions.delete(key)
  permissions.set(key, { file, until: performance.now() + keptMs })
  if (permissions.size > keptMax) permissions.delete(permissions.keys().next().value ?? '')
}

/** After a sign-out, a removal or a change of a narration: everyone is asked again. */
export function forgetPermissions(): void {
  permissions.clear()
}

import type { AudioFile } from './storage'

/**
 * A player asks for a narration in many small ranges. What a session may hear is therefore remembered for
 * five seconds, by its cookies; other instances lag behind a sign-out or a removal by at most that.
 */
const keptMs = 5_000
const keptMax = 10_000

type Permission = { file: AudioFile; until: number }
const permissions = new Map<string, Permission>()

/** Whose permission, to hear what. Cookies are compared whole; a visitor's is empty. */
export type PermissionKey = { session: string; storyId: string; voice: string }

export function findPermission(key: PermissionKey): AudioFile | null {
  const kept = permissions.get(textOf(key))
  return kept && kept.until > performance.now() ? kept.file : null
}

export function keepPermission(key: PermissionKey, file: AudioFile): void {
  const text = textOf(key)
  // Oldest first: a kept permission is never made longer, so the first of the map ends first.
  permissions.delete(text)
  permissions.set(text, { file, until: performance.now() + keptMs })
  if (permissions.size > keptMax) permissions.delete(permissions.keys().next().value ?? '')
}

/** After a sign-out, a removal or a change of a narration: everyone is asked again. */
export function forgetPermissions(): void {
  permissions.clear()
}

function textOf({ session, storyId, voice }: PermissionKey): string {
  return `${session}\n${storyId}\n${voice}`
}

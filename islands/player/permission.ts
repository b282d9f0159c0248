import { isStillVisitor } from '#islands/member/auth-status'
import { awaitNarration, type Permission } from '#islands/player/first-narration'
import { contentOf } from '#islands/player/track-content'
import type { Track } from '#src/story/track-rules'

export const reasonToListen = 'This one needs an account. It is free.'

/**
 * Checks before playback whether a track may be heard; one whose first narration is being made is waited for, as long
 * as it `isAwaited`. A visitor's refusal is known beforehand: no call is made that browsers would log as an error.
 */
export async function checkPermission(track: Track, isAwaited: () => boolean): Promise<Permission> {
  const content = contentOf(track)
  if (content && !content.isFree && (await isStillVisitor())) return 'signInNeeded'
  return content?.hasAudio === false
    ? awaitNarration(content.contentId, track.voice, isAwaited)
    : askServer(track.src)
}

/** Premium audio is asked about; other addresses are tried without a check. */
async function askServer(src: string): Promise<Permission> {
  if (!new URL(src, location.href).pathname.startsWith('/api/premium-audio/')) return 'allowed'
  try {
    const { ok, status } = await fetch(src, { method: 'HEAD', credentials: 'include' })
    if (ok) return 'allowed'
    if (status === 403) return 'signInNeeded'
    return status === 404 ? 'missing' : 'failed'
  } catch {
    return 'failed'
  }
}

import { isStillVisitor } from '#islands/member/auth-status'
import { awaitNarration, type Permission, permissionAfter } from '#islands/player/first-narration'
import { contentOf } from '#islands/player/track-content'
import { ApiError } from '#islands/runtime/api-error'
import type { Track } from '#src/story/track-rules'

export const reasonToListen = 'This one needs an account. It is free.'

/**
 * Checks before playback whether a track may be heard. If its first narration is still being made, waits for it as long
 * as `isAwaited` returns true. For a visitor the refusal is known without a request, which browsers would log as an
 * error.
 */
export async function checkPermission(track: Track, isAwaited: () => boolean): Promise<Permission> {
  const content = contentOf(track)
  if (content && !content.isFree && (await isStillVisitor())) return 'signInNeeded'
  return content?.hasAudio === false
    ? awaitNarration(content.contentId, track.voice, isAwaited)
    : askServer(track.src)
}

/** Asks the server about premium audio. Other addresses are tried without a check. */
async function askServer(src: string): Promise<Permission> {
  if (!new URL(src, location.href).pathname.startsWith('/api/premium-audio/')) return 'allowed'
  try {
    const asked = await fetch(src, { method: 'HEAD', credentials: 'include' })
    // The reason of a refusal is in the body, and a response to HEAD has none.
    const answer = asked.status === 403 ? await fetch(src, oneByte) : asked
    if (answer.ok) return 'allowed'
    throw new ApiError(answer.status, await answer.text(), answer.statusText)
  } catch (error) {
    return permissionAfter(error)
  }
}

const oneByte: RequestInit = { headers: { range: 'bytes=0-0' }, credentials: 'include' }

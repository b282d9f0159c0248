import type { ItemTrack } from '#src/story/track-rules'
import { urls } from '#src/urls'

/**
 * An item's narration for browsers without a script: the native controls if the person may listen, otherwise a link to
 * sign up.
 */
export function PlainPlayer({ track, isMember }: { track: ItemTrack; isMember: boolean }) {
  const { hasAudio, isFree, title } = track.meta
  if (!hasAudio) return null
  return (
    <noscript>
      {isFree || isMember ? (
        // biome-ignore lint/a11y/useMediaCaption: the words of the narration are the text of the page
        <audio controls preload="none" src={track.src} aria-label={title} />
      ) : (
        <p className="meta">
          <a className="link" href={urls.signIn({ next: urls.item(track.meta) })}>
            Sign in
          </a>{' '}
          to listen.
        </p>
      )}
    </noscript>
  )
}

import { findPlayButton } from '#islands/player/find-play-button'
import type { OfferedPlace } from '#islands/player/place-offer'
import { useAudio } from '#islands/player/use-audio'
import { useFocusOnRemoval } from '#islands/player/use-focus-on-removal'
import { Button } from '#src/ui/button'
import { clock } from '#src/ui/clock'
import { Icon } from '#src/ui/icon'
import { IconButton } from '#src/ui/icon-button'
import { timeWords } from '#src/ui/local-time'

/**
 * Asks where to resume when two devices disagree: at either position, or at the beginning. It does not take the focus;
 * without an answer playback continues.
 */
export function ResumePlaces({ places }: { places: readonly OfferedPlace[] }) {
  const { player } = useAudio()
  return (
    <section
      className="popover popover-at places-offer"
      aria-label="Where were we?"
      ref={useFocusOnRemoval(findPlayButton)}
    >
      <div className="popover-head">
        <h2>Where were we?</h2>
        <IconButton label="Go on as it is" icon="i-lucide-sm-x" onPress={player.goOnAsItIs} />
      </div>
      <p className="prose" role="status">
        You listened on two devices. Resume at {places.map(wordsOf).join(' or ')}?
      </p>
      <div className="places">
        {places.map((place) => (
          <button
            key={place.where}
            className={place.isLater ? 'place is-later' : 'place'}
            type="button"
            onClick={() => player.goOnFrom(place.seconds)}
          >
            <span>
              <b>{clock(place.seconds)}</b>
              <span className="meta"> {place.where}</span>
            </span>
            <span className="meta">{timeWords(new Date(place.at))}</span>
          </button>
        ))}
      </div>
      <Button kind="ghost" size="sm" onClick={() => player.goOnFrom(0)}>
        <Icon name="i-lucide-sm-rotate-ccw" />
        From the beginning
      </Button>
    </section>
  )
}

/** Formats a position: "12:04 (phone)", "3:10 (here)". */
function wordsOf({ seconds, where }: OfferedPlace): string {
  return `${clock(seconds)} (${where.replace(/^on (the )?/, '')})`
}

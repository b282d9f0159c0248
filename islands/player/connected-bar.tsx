import { useRef, useState } from 'react'
import { useFavorite } from '#islands/favorites-store'
import { NowPlaying } from '#islands/player/now-playing'
import { PlayerNotice } from '#islands/player/player-notice'
import { SpeedMenu } from '#islands/player/speed-menu'
import { contentOf } from '#islands/player/track-content'
import { useAudio } from '#islands/player/use-audio'
import { FavoriteButton } from '#src/ui/favorite-button'
import { PlayerBar } from '#src/ui/player-bar'
import { urls } from '#src/urls'

/** The bar, while something is loaded (visitor.md §2). */
export function ConnectedBar() {
  const { currentTrack, isPlaying, isLoading, currentTime, duration, volume, speed, player } = useAudio()
  const [isSpeedOpen, setSpeedOpen] = useState(false)
  const [isOpened, setOpened] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  if (!currentTrack) return null
  const content = contentOf(currentTrack)
  const narrator = content?.narratorLine ?? null
  const heart = content && <BarHeart contentKey={content.contentKey} />

  const closeSpeed = () => {
    setSpeedOpen(false)
    place.current?.querySelector<HTMLElement>('.player-chip')?.focus()
  }
  const close = () => {
    const opener = document.querySelector<HTMLElement>('.play-pill[data-loaded]')
    player.close()
    // The button under the hand is gone: the focus goes back to where the playing began.
    opener?.focus({ preventScroll: true })
  }

  return (
    <div ref={place}>
      <PlayerBar
        title={currentTrack.title}
        href={content?.href ?? urls.explore()}
        narrator={narrator}
        isPlaying={isPlaying || isLoading}
        isLoading={isLoading}
        positionSeconds={currentTime}
        durationSeconds={duration}
        volume={volume}
        speed={speed}
        isSpeedOpen={isSpeedOpen}
        favorite={heart}
        popover={isSpeedOpen ? <SpeedMenu onClose={closeSpeed} /> : <PlayerNotice />}
        onPlayPause={player.toggle}
        onSkip={player.skip}
        onSeek={player.previewSeek}
        onSeekEnd={player.endPreview}
        onVolume={player.setVolume}
        onSpeed={() => (isSpeedOpen ? closeSpeed() : setSpeedOpen(true))}
        onOpen={() => setOpened(true)}
        onClose={close}
      />
      {isOpened && (
        <NowPlaying
          title={currentTrack.title}
          narrator={narrator}
          favorite={heart}
          onClose={() => setOpened(false)}
        />
      )}
    </div>
  )
}

/** No page says of this heart whether it is a favourite, or who presses it: the store asks. */
function BarHeart({ contentKey }: { contentKey: string }) {
  const { isFavorite, toggle } = useFavorite(contentKey, false, null)
  return <FavoriteButton isFavorite={isFavorite} onToggle={toggle} />
}

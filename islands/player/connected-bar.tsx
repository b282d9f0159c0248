import { useAtomValue } from 'jotai'
import { useLayoutEffect, useRef, useState } from 'react'
import { useFavorite } from '#islands/favorite/favorites-store'
import { MenuPopover } from '#islands/player/menus'
import { NowPlaying } from '#islands/player/now-playing'
import { PlayerNotice } from '#islands/player/player-notice'
import { leftWords } from '#islands/player/sleep-timer'
import { queueAtom, sleepAtom } from '#islands/player/state'
import { contentOf } from '#islands/player/track-content'
import { useAudio } from '#islands/player/use-audio'
import { FavoriteButton } from '#src/ui/favorite-button'
import { PlayerBar, type PlayerMenu } from '#src/ui/player-bar'
import { urls } from '#src/urls'

/** The player bar. It is shown while a track is loaded. */
export function ConnectedBar() {
  const { currentTrack, isPlaying, isLoading, currentTime, duration, volume, speed, player } = useAudio()
  const chips = { speed, timerLabel: useTimerLabel(), queueCount: useAtomValue(queueAtom).entries.length }
  const [menu, setMenu] = useState<PlayerMenu | null>(null)
  const [isOpened, setOpened] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useRoomAtFoot(currentTrack !== null)
  if (!currentTrack) return null
  const content = contentOf(currentTrack)
  const narrator = content?.narratorLine ?? null
  const heart = content && <BarHeart contentKey={content.contentKey} />

  const closeMenu = () => {
    place.current?.querySelector<HTMLElement>(`[data-menu="${menu}"]`)?.focus()
    setMenu(null)
  }
  const close = () => {
    // The pressed button is removed, so the focus returns to the control that started playback, or to the heading.
    const next = document.querySelector<HTMLElement>('.play-pill[data-loaded]') ?? findHeading()
    player.close()
    setMenu(null)
    next?.focus({ preventScroll: true })
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
        {...chips}
        menu={menu}
        favorite={heart}
        popover={menu && !isOpened ? <MenuPopover menu={menu} onClose={closeMenu} /> : <PlayerNotice />}
        onPlayPause={player.toggle}
        onSkip={player.skip}
        onSeek={player.previewSeek}
        onSeekEnd={player.endPreview}
        onVolume={player.setVolume}
        onMenu={(name) => (menu === name ? closeMenu() : setMenu(name))}
        onOpen={() => {
          setMenu(null)
          setOpened(true)
        }}
        onClose={close}
      />
      {isOpened && (
        <NowPlaying
          title={currentTrack.title}
          narrator={narrator}
          favorite={heart}
          chips={chips}
          onClose={() => setOpened(false)}
        />
      )}
    </div>
  )
}

/** Makes the heading of the page focusable, and returns it. */
function findHeading(): HTMLElement | null {
  const heading = document.querySelector<HTMLElement>('#main h1')
  if (heading) heading.tabIndex = -1
  return heading
}

/** Marks the body while there is a bar, so that the page's styles leave room for it. */
function useRoomAtFoot(hasBar: boolean): void {
  useLayoutEffect(() => {
    if (!hasBar) return
    document.body.dataset.player = ''
    return () => {
      delete document.body.dataset.player
    }
  }, [hasBar])
}

function useTimerLabel(): string | null {
  const sleep = useAtomValue(sleepAtom)
  return sleep && leftWords(sleep.secondsLeft)
}

/**
 * Favourite button of the bar. Unlike a card it has no props from the page that say whether the item is a favourite and
 * who the viewer is, so the store loads both.
 */
function BarHeart({ contentKey }: { contentKey: string }) {
  const { isFavorite, toggle } = useFavorite({ contentKey, isFavorite: false, isMember: null })
  return <FavoriteButton isFavorite={isFavorite} onToggle={toggle} />
}

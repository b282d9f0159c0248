import { ChevronDown } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { MenuContent } from '#islands/player/menus'
import { PlayerNotice } from '#islands/player/player-notice'
import { useAudio } from '#islands/player/use-audio'
import { giveToastsBack, takeToastsInto } from '#islands/toasts-in-dialog'
import { skipSeconds } from '#src/listening/rules'
import { Cover } from '#src/ui/cover'
import { Icon } from '#src/ui/icon'
import { PlayerChips, type PlayerMenu } from '#src/ui/player-bar'
import { PlayButton, PlayerTime } from '#src/ui/player-time'
import { SkipButton } from '#src/ui/skip-button'

/** The opened player: what the bar of a phone has no room for. */
export function NowPlaying({
  title,
  narrator,
  favorite,
  chips,
  onClose,
}: {
  title: string
  narrator: string | null
  favorite?: ReactNode
  chips: { speed: number; timerLabel: string | null; queueCount: number }
  onClose: () => void
}) {
  const { isPlaying, isLoading, currentTime, duration, player } = useAudio()
  const dialog = useRef<HTMLDialogElement>(null)
  const [menu, setMenu] = useState<PlayerMenu | null>(null)

  // In the layout phase: when it ends, the toasts have to leave before the dialog does.
  useLayoutEffect(() => {
    if (!dialog.current) return
    dialog.current.showModal()
    takeToastsInto(dialog.current)
    return giveToastsBack
  }, [])

  return (
    <dialog className="phone" ref={dialog} aria-label="Now playing" onClose={onClose}>
      <div className="phone-row">
        <button
          className="icon-btn"
          type="button"
          aria-label="Back to the bar"
          onClick={() => dialog.current?.close()}
        >
          <Icon of={ChevronDown} />
        </button>
        {favorite}
      </div>
      <Cover title={title} />
      <div className="player-words">
        <span className="title-md">{title}</span>
        {narrator && <span className="meta">{narrator}</span>}
      </div>
      <PlayerTime
        positionSeconds={currentTime}
        durationSeconds={duration}
        onSeek={player.previewSeek}
        onSeekEnd={player.endPreview}
      />
      <div className="player-controls">
        <SkipButton seconds={-skipSeconds} onSkip={player.skip} />
        <PlayButton
          isPlaying={isPlaying || isLoading}
          isLoading={isLoading}
          isLarge
          onPlayPause={player.toggle}
        />
        <SkipButton seconds={skipSeconds} onSkip={player.skip} />
      </div>
      <PlayerNotice />
      <div className="phone-row">
        <PlayerChips
          {...chips}
          menu={menu}
          onMenu={(name) => setMenu((last) => (last === name ? null : name))}
        />
      </div>
      {menu && (
        <div className="stack-sm phone-menu">
          <MenuContent menu={menu} />
        </div>
      )}
    </dialog>
  )
}

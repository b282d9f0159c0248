import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { closeOnBack } from '#islands/navigation/close-on-back'
import { MenuContent } from '#islands/player/menus'
import { PlayerNotice } from '#islands/player/player-notice'
import { startSwipeDown } from '#islands/player/swipe-down'
import { useAudio } from '#islands/player/use-audio'
import { giveToastsBack, showDialog } from '#islands/site/show-dialog'
import { skipSeconds } from '#src/listening/rules'
import { clock } from '#src/ui/clock'
import { Cover } from '#src/ui/cover'
import { Icon } from '#src/ui/icon'
import { PlayerChips, type PlayerMenu } from '#src/ui/player-bar'
import { PlayButton, PlayerTime } from '#src/ui/player-time'
import { SkipButton } from '#src/ui/skip-button'

/** The full-screen player, with the controls that do not fit into the bar on a phone. */
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
  const { isPlaying, isLoading, currentTime, duration, speed, player } = useAudio()
  const dialog = useRef<HTMLDialogElement>(null)
  const { menu, onMenu, onKey } = useSheetMenu()

  // A layout effect, so that on unmount the toasts move out before the dialog is removed.
  useLayoutEffect(() => {
    const sheet = dialog.current
    if (!sheet) return
    showDialog(sheet)
    const close = () => sheet.close()
    const stops = [giveToastsBack, closeOnBack(close), startSwipeDown(sheet, close)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])

  return (
    <dialog className="phone" ref={dialog} aria-label="Now playing" onClose={onClose} onKeyDown={onKey}>
      <div className="phone-row">
        <button
          className="icon-btn"
          type="button"
          aria-label="Back to the bar"
          onClick={() => dialog.current?.close()}
        >
          <Icon name="i-lucide-chevron-down" />
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
      <p className="meta">{leftWords(duration - currentTime, speed)}</p>
      <div className="player-controls">
        <button className="icon-btn" type="button" aria-label="Previous" onClick={player.queue.previous}>
          <Icon name="i-lucide-pressed-skip-forward" className="icon-back" />
        </button>
        <SkipButton seconds={-skipSeconds} onSkip={player.skip} />
        <PlayButton
          isPlaying={isPlaying || isLoading}
          isLoading={isLoading}
          isLarge
          onPlayPause={player.toggle}
        />
        <SkipButton seconds={skipSeconds} onSkip={player.skip} />
        <button
          className="icon-btn"
          type="button"
          aria-label="Next"
          aria-disabled={chips.queueCount === 0 || undefined}
          onClick={player.queue.next}
        >
          <Icon name="i-lucide-pressed-skip-forward" />
        </button>
      </div>
      <PlayerNotice />
      <div className="phone-row">
        <PlayerChips {...chips} menu={menu} onMenu={onMenu} />
      </div>
      {menu && (
        <div className="stack-sm phone-menu">
          <MenuContent menu={menu} />
        </div>
      )}
    </dialog>
  )
}

/** Formats the time left: "4:27 left". At another speed it is the time that listening takes: "3:34 left at 1.25×". */
function leftWords(seconds: number, speed: number): string {
  return `${clock(seconds / speed)} left${speed === 1 ? '' : ` at ${speed}×`}`
}

/** The menu inside of the sheet. Esc closes one thing at a time: the menu first, and its chip gets the focus. */
function useSheetMenu() {
  const [menu, setMenu] = useState<PlayerMenu | null>(null)
  return {
    menu,
    onMenu: (name: PlayerMenu) => setMenu((last) => (last === name ? null : name)),
    onKey(event: KeyboardEvent<HTMLDialogElement>): void {
      if (event.key !== 'Escape' || menu === null) return
      event.preventDefault()
      event.currentTarget.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus()
      setMenu(null)
    },
  }
}

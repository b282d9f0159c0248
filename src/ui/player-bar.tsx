import type { ReactNode } from 'react'
import { pluralize } from '#src/text/pluralize'
import { Cover } from '#src/ui/cover'
import { Icon } from '#src/ui/icon'
import { PlayButton, PlayerTime } from '#src/ui/player-time'
import { SkipButton } from '#src/ui/skip-button'
import { Slider } from '#src/ui/slider'

/** The popovers that the chips at the end of the bar open. */
export type PlayerMenu = 'speed' | 'timer' | 'queue'

export type PlayerBarProps = {
  title: string
  /** The address of the item's page. */
  href: string
  /** "Narrated by Rachel". */
  narrator: string | null
  isPlaying: boolean
  isLoading: boolean
  positionSeconds: number
  durationSeconds: number
  /** 0 to 1. */
  volume: number
  speed: number
  /** "24 min", or null if no sleep timer runs. */
  timerLabel: string | null
  queueCount: number
  /** The chip whose popover is open. */
  menu: PlayerMenu | null
  favorite?: ReactNode
  /** Shown above the bar: a popover, a notice. */
  popover?: ReactNode
  onPlayPause: () => void
  onSkip: (seconds: number) => void
  onSeek: (seconds: number) => void
  onSeekEnd?: (seconds: number) => void
  onVolume: (volume: number) => void
  onMenu: (menu: PlayerMenu) => void
  /** Called on a press of the cover, which opens the full player on phones. */
  onOpen?: () => void
  onClose: () => void
}

/** The bar at the foot of every page while a track is loaded. */
export function PlayerBar(player: PlayerBarProps) {
  return (
    <section className="player" aria-label="Player">
      <Now {...player} />
      <div className="player-centre">
        <div className="player-controls">
          <SkipButton seconds={-15} onSkip={player.onSkip} />
          <PlayButton {...player} />
          <SkipButton seconds={15} onSkip={player.onSkip} />
        </div>
        <PlayerTime {...player} />
      </div>
      <End {...player} />
      {player.popover}
    </section>
  )
}

function Now({ title, href, narrator, favorite, onOpen }: PlayerBarProps) {
  return (
    <div className="player-now">
      {onOpen ? (
        <button type="button" aria-label="Open the player" onClick={onOpen}>
          <Cover title={title} shape="56" />
        </button>
      ) : (
        <Cover title={title} shape="56" />
      )}
      <div className="player-words">
        <a className="player-title" href={href}>
          {title}
        </a>
        {narrator && <span className="meta">{narrator}</span>}
      </div>
      {favorite}
    </div>
  )
}

function End(player: PlayerBarProps) {
  const { volume, onVolume, onClose } = player
  return (
    <div className="player-end">
      <PlayerChips {...player} />
      <span className="volume">
        <Icon name="i-lucide-sm-volume-2" />
        <Slider
          label="Volume"
          value={Math.round(volume * 100)}
          max={100}
          isPlain
          onChange={(percent) => onVolume(percent / 100)}
        />
      </span>
      <button className="icon-btn player-close" type="button" aria-label="Stop and close" onClick={onClose}>
        <Icon name="i-lucide-x" />
      </button>
    </div>
  )
}

/** Speed, sleep timer and queue, for the bar and for the full player on phones. */
export function PlayerChips({
  speed,
  timerLabel,
  queueCount,
  menu,
  onMenu,
}: Pick<PlayerBarProps, 'speed' | 'timerLabel' | 'queueCount' | 'menu' | 'onMenu'>) {
  const chip = (name: PlayerMenu, label: string, { isOn } = { isOn: false }) => ({
    className: isOn || menu === name ? 'player-chip is-on' : 'player-chip',
    type: 'button' as const,
    'aria-label': label,
    'aria-haspopup': 'dialog' as const,
    'aria-expanded': menu === name,
    'data-menu': name,
    onClick: () => onMenu(name),
  })
  return (
    <>
      <button {...chip('speed', `Speed, ${speed} times`)}>{speed}×</button>
      <button
        {...chip('timer', timerLabel ? `Sleep timer, ${timerLabel} left` : 'Sleep timer', {
          isOn: timerLabel !== null,
        })}
      >
        <Icon name="i-lucide-sm-timer" />
        {timerLabel}
      </button>
      <button {...chip('queue', `Queue, ${pluralize(queueCount, 'item')}`)}>
        <Icon name="i-lucide-sm-list-music" />
        {queueCount}
      </button>
    </>
  )
}

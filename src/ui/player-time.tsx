import { clock } from '#src/ui/clock'
import { Icon } from '#src/ui/icon'
import { Slider } from '#src/ui/slider'

/** The round play button, the only element of the bar in the accent colour. */
export function PlayButton({
  isPlaying,
  isLoading,
  isLarge = false,
  onPlayPause,
}: {
  isPlaying: boolean
  isLoading: boolean
  /** Whether it is in the full player on phones. */
  isLarge?: boolean
  onPlayPause: () => void
}) {
  return (
    <button
      className={isLarge ? 'player-play player-play-lg' : 'player-play'}
      type="button"
      aria-label={isPlaying ? 'Pause' : 'Play'}
      aria-keyshortcuts="Space k"
      aria-busy={isLoading || undefined}
      onClick={onPlayPause}
    >
      <Icon name={isPlaying ? 'i-lucide-solid-pause' : 'i-lucide-solid-play'} />
    </button>
  )
}

/** The elapsed time, a slider in steps of a second, and the total time. */
export function PlayerTime({
  positionSeconds,
  durationSeconds,
  onSeek,
  onSeekEnd,
}: {
  positionSeconds: number
  durationSeconds: number
  onSeek: (seconds: number) => void
  onSeekEnd?: (seconds: number) => void
}) {
  const at = clock(positionSeconds)
  const whole = clock(durationSeconds)
  return (
    <div className="player-time">
      <span>{at}</span>
      <Slider
        label="Position"
        value={Math.floor(positionSeconds)}
        max={Math.floor(durationSeconds)}
        valueText={`${at} of ${whole}`}
        onChange={onSeek}
        onCommit={onSeekEnd}
      />
      <span>{whole}</span>
    </div>
  )
}

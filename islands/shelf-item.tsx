import { Pause, Play } from 'lucide-react'
import { emit, type Track } from '#islands/events'
import { KeepButton } from '#islands/offline/keep-button'
import { OwnControls, type OwnProps } from '#islands/own-controls'
import { useCardPlayback } from '#islands/player/use-card-playback'
import { QueueMenu } from '#islands/queue-menu'
import type { TrackItem } from '#src/story/track'
import { clock } from '#src/ui/clock'
import { Icon } from '#src/ui/icon'

export type ShelfItemProps = {
  track: (Track & { meta: TrackItem }) | null
  durationSeconds: number | null
  /** What its maker may do with it. */
  own: OwnProps | null
}

/** One item of My Content: heard in place by the one player, and, where it is one's own, made anew, shared, deleted. */
export default function ShelfItem({ track, durationSeconds, own }: ShelfItemProps) {
  return (
    <>
      {track && <InlinePlayer track={track} durationSeconds={durationSeconds ?? 0} />}
      {track && (
        <div className="btn-row">
          <KeepButton track={track} />
        </div>
      )}
      {own && <OwnControls {...own} hasAudio={track !== null} />}
    </>
  )
}

function InlinePlayer({
  track,
  durationSeconds,
}: {
  track: Track & { meta: TrackItem }
  durationSeconds: number
}) {
  const playback = useCardPlayback(track.id)
  const isPlaying = playback?.isPlaying ?? false
  const at = playback?.positionSeconds ?? 0
  const end = playback?.durationSeconds || durationSeconds
  return (
    <div className={isPlaying ? 'inline-player is-playing' : 'inline-player'}>
      <button
        className="icon-btn"
        type="button"
        aria-label={`${isPlaying ? 'Pause' : 'Play'} ${track.title}`}
        onClick={() => emit('nocturne:play', { track })}
      >
        <Icon of={isPlaying ? Pause : Play} isSolid />
      </button>
      <div className="player-time">
        <span>{clock(at)}</span>
        <progress className="meter" value={Math.min(at, end)} max={Math.max(1, end)} aria-hidden="true" />
        <span>{clock(end)}</span>
      </div>
      {playback === null && <QueueMenu track={track} />}
    </div>
  )
}

import { QueueMenu } from '#islands/listening/queue-menu'
import { OwnControls, type OwnProps } from '#islands/my-content/own-controls'
import { SaveOfflineButton } from '#islands/offline/save-offline-button'
import { useCardPlayback } from '#islands/player/use-card-playback'
import { emit } from '#islands/runtime/events'
import type { Track, TrackItem } from '#src/story/track-rules'
import { clock } from '#src/ui/clock'
import { Icon } from '#src/ui/icon'

export type MyContentItemProps = {
  track: (Track & { meta: TrackItem }) | null
  durationSeconds: number | null
  /** The author's actions; null if the viewer is not the author. */
  own: OwnProps | null
}

/**
 * One item of My Content. It is played in place by the one player. The author can also narrate it again, share it and
 * delete it.
 */
export default function MyContentItem({ track, durationSeconds, own }: MyContentItemProps) {
  return (
    <>
      {track && <InlinePlayer track={track} durationSeconds={durationSeconds ?? 0} />}
      {track && (
        <div className="btn-row">
          <SaveOfflineButton track={track} />
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
        <Icon name={isPlaying ? 'i-lucide-solid-pause' : 'i-lucide-solid-play'} />
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

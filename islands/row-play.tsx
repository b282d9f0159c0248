import { Pause, Play } from 'lucide-react'
import { emit, type Track } from '#islands/events'
import { useCardPlayback } from '#islands/player/use-card-playback'
import { QueueMenu } from '#islands/queue-menu'
import type { TrackItem } from '#src/story/track'
import { Icon } from '#src/ui/icon'

/** Play or pause at the end of a row, or later; what plays is the one player. */
export default function RowPlay({ track }: { track: Track & { meta: TrackItem } }) {
  const playback = useCardPlayback(track.id)
  const isPlaying = playback?.isPlaying ?? false
  return (
    <div className="row-controls">
      {playback === null && <QueueMenu track={track} />}
      <button
        className="icon-btn"
        type="button"
        aria-label={`${isPlaying ? 'Pause' : 'Play'} ${track.title}`}
        onClick={() => emit('nocturne:play', { track })}
      >
        <Icon of={isPlaying ? Pause : Play} isSolid />
      </button>
    </div>
  )
}

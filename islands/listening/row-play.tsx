import { QueueMenu } from '#islands/listening/queue-menu'
import { useCardPlayback } from '#islands/player/use-card-playback'
import { emit } from '#islands/runtime/events'
import type { ItemTrack } from '#src/story/track-rules'
import { Icon } from '#src/ui/icon'

/** Play or pause button at the end of a row, with the queue menu unless the track is loaded. */
export default function RowPlay({ track }: { track: ItemTrack }) {
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
        <Icon name={isPlaying ? 'i-lucide-solid-pause' : 'i-lucide-solid-play'} />
      </button>
    </div>
  )
}

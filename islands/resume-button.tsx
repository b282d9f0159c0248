import { Pause, Play } from 'lucide-react'
import { emit, type Track } from '#islands/events'
import { useCardPlayback } from '#islands/player/use-card-playback'
import type { TrackItem } from '#src/story/track'
import { Icon } from '#src/ui/icon'

/** Goes on where one stopped: the player knows the place. */
export default function ResumeButton({ track }: { track: Track & { meta: TrackItem } }) {
  const isPlaying = useCardPlayback(track.id)?.isPlaying ?? false
  return (
    <button className="btn btn-primary" type="button" onClick={() => emit('nocturne:play', { track })}>
      <Icon of={isPlaying ? Pause : Play} isSolid size="sm" />
      {isPlaying ? 'Pause' : 'Resume'}
    </button>
  )
}

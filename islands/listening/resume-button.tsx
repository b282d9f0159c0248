import { useCardPlayback } from '#islands/player/use-card-playback'
import { emit } from '#islands/runtime/events'
import type { ItemTrack } from '#src/story/track-rules'
import { Icon } from '#src/ui/icon'

/** Button that resumes where listening stopped. The player reads the position. */
export default function ResumeButton({ track }: { track: ItemTrack }) {
  const isPlaying = useCardPlayback(track.id)?.isPlaying ?? false
  return (
    <button className="btn btn-primary" type="button" onClick={() => emit('nocturne:play', { track })}>
      <Icon name={isPlaying ? 'i-lucide-sm-solid-pause' : 'i-lucide-sm-solid-play'} />
      {isPlaying ? 'Pause' : 'Resume'}
    </button>
  )
}

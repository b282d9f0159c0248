import { useCardPlayback } from '#islands/player/use-card-playback'
import { emit } from '#islands/runtime/events'
import type { Track } from '#src/story/track-rules'
import { Icon } from '#src/ui/icon'

/** Button that plays a sample before signing up. */
export default function SampleButton({ track }: { track: Track }) {
  const isPlaying = useCardPlayback(track.id)?.isPlaying ?? false
  return (
    <button className="btn btn-quiet btn-lg" type="button" onClick={() => emit('nocturne:play', { track })}>
      <Icon name={isPlaying ? 'i-lucide-sm-solid-pause' : 'i-lucide-sm-solid-play'} />
      {isPlaying ? 'Pause the sample' : 'Hear a sample'}
    </button>
  )
}

import { Pause, Play } from 'lucide-react'
import { emit, type Track } from '#islands/events'
import { useCardPlayback } from '#islands/player/use-card-playback'
import { Icon } from '#src/ui/icon'

/** Something to hear before one signs up. */
export default function SampleButton({ track }: { track: Track }) {
  const isPlaying = useCardPlayback(track.id)?.isPlaying ?? false
  return (
    <button className="btn btn-quiet btn-lg" type="button" onClick={() => emit('nocturne:play', { track })}>
      <Icon of={isPlaying ? Pause : Play} isSolid size="sm" />
      {isPlaying ? 'Pause the sample' : 'Hear a sample'}
    </button>
  )
}

import { Play } from 'lucide-react'
import { Icon } from '#src/ui/icon'
import { emit, type Track } from './events'

/** Something to hear before one signs up. */
export default function SampleButton({ track }: { track: Track }) {
  return (
    <button className="btn btn-quiet btn-lg" type="button" onClick={() => emit('nocturne:play', { track })}>
      <Icon of={Play} isSolid size="sm" />
      Hear a sample
    </button>
  )
}

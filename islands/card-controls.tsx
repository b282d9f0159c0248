import type { TrackItem } from '#src/story/track'
import { CardControls } from '#src/ui/card-controls'
import { emit, type Track } from './events'

export type CardControlsProps = { track: Track & { meta: TrackItem }; contentKey: string; minutes: number | null; isFavorite: boolean; isMember: boolean }

/** Play or pause, the time and the heart of one card. */
export default function CardControlsIsland({ track, minutes, isFavorite }: CardControlsProps) {
  return <CardControls title={track.title} minutes={minutes} isFavorite={isFavorite} playback={null} onPlay={() => emit('nocturne:play', { track })} />
}

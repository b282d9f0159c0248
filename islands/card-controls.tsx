import { useRef } from 'react'
import { emit, type Track } from '#islands/events'
import { useFavorite } from '#islands/favorites-store'
import { useCardPlayback } from '#islands/player/use-card-playback'
import { QueueMenu } from '#islands/queue-menu'
import { useViewed } from '#islands/use-viewed'
import type { TrackItem } from '#src/story/track'
import { CardControls } from '#src/ui/card-controls'

export type CardControlsProps = {
  track: Track & { meta: TrackItem }
  contentKey: string
  minutes: number | null
  isFavorite: boolean
  isMember: boolean
}

/** Play or pause, the time, the heart and the way into the queue of one card. */
export default function CardControlsIsland(props: CardControlsProps) {
  const { track, contentKey, minutes } = props
  const mark = useRef<HTMLSpanElement>(null)
  const { isFavorite, toggle } = useFavorite(contentKey, props.isFavorite, props.isMember)
  const playback = useCardPlayback(track.id)
  useViewed(mark, contentKey)
  return (
    <>
      <span ref={mark} hidden />
      <CardControls
        title={track.title}
        minutes={minutes}
        isFavorite={isFavorite}
        playback={playback}
        onPlay={() => emit('nocturne:play', { track })}
        onFavorite={toggle}
      />
      {track.meta.hasAudio && playback === null && <QueueMenu track={track} />}
    </>
  )
}

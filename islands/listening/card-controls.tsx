import { useFavorite } from '#islands/favorite/favorites-store'
import { QueueMenu } from '#islands/listening/queue-menu'
import { useCardPlayback } from '#islands/player/use-card-playback'
import { emit } from '#islands/runtime/events'
import type { ItemTrack } from '#src/story/track-rules'
import { CardControls } from '#src/ui/card-controls'
import { cardTitleId } from '#src/ui/favorite-button'

export type CardControlsProps = {
  track: ItemTrack
  contentKey: string
  minutes: number | null
  isFavorite: boolean
  isMember: boolean
}

/** Controls of a card: play or pause, the time, the favourite button and the queue menu. */
export default function CardControlsIsland(props: CardControlsProps) {
  const { track, contentKey, minutes } = props
  const { isFavorite, toggle } = useFavorite({ ...props, contentKey })
  const playback = useCardPlayback(track.id)
  return (
    <>
      <CardControls
        title={track.title}
        titleId={cardTitleId(track.meta.id)}
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

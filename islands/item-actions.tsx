import { ListPlus, ListStart, Pause, Play, Share2 } from 'lucide-react'
import { emit, type Track } from '#islands/events'
import { useFavorite } from '#islands/favorites-store'
import { KeepButton } from '#islands/offline/keep-button'
import { useCardPlayback } from '#islands/player/use-card-playback'
import { shareItem } from '#islands/share-item'
import type { TrackItem } from '#src/story/track'
import { FavoriteButton } from '#src/ui/favorite-button'
import { Icon } from '#src/ui/icon'

export type ItemActionsProps = {
  track: Track & { meta: TrackItem }
  contentKey: string
  isFavorite: boolean
  isMember: boolean
  /** The item's address for others, from the outside. */
  shareUrl: string
  hasHeart: boolean
}

/** What one does with an item on its own page: play, keep, share. */
export default function ItemActions(props: ItemActionsProps) {
  const { track, contentKey, shareUrl, hasHeart } = props
  const { isFavorite, toggle } = useFavorite(contentKey, props.isFavorite, props.isMember)
  const playback = useCardPlayback(track.id)
  const isPlaying = playback?.isPlaying ?? false
  return (
    <div className="btn-row">
      <button
        className="btn btn-primary btn-lg"
        type="button"
        onClick={() => emit('nocturne:play', { track })}
      >
        <Icon of={isPlaying ? Pause : Play} isSolid />
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      {hasHeart && <FavoriteButton isFavorite={isFavorite} onToggle={toggle} />}
      {track.meta.hasAudio && playback === null && <QueueButtons track={track} />}
      <button
        className="icon-btn"
        type="button"
        aria-label="Share"
        onClick={() => void shareItem({ ...track.meta, url: shareUrl })}
      >
        <Icon of={Share2} />
      </button>
      {props.isMember && <KeepButton track={track} />}
    </div>
  )
}

/** Not now, but then: right after what plays, or after all that was chosen before. */
function QueueButtons({ track }: Pick<ItemActionsProps, 'track'>) {
  return (
    <>
      <button
        className="icon-btn"
        type="button"
        aria-label="Play next"
        title="Play next"
        onClick={() => emit('nocturne:play', { track, place: 'next' })}
      >
        <Icon of={ListStart} />
      </button>
      <button
        className="icon-btn"
        type="button"
        aria-label="Add to queue"
        title="Add to queue"
        onClick={() => emit('nocturne:play', { track, place: 'last' })}
      >
        <Icon of={ListPlus} />
      </button>
    </>
  )
}

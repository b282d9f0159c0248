import { useFavorite } from '#islands/favorite/favorites-store'
import { shareItem } from '#islands/listening/share-item'
import { SaveOfflineButton } from '#islands/offline/save-offline-button'
import { useCardPlayback } from '#islands/player/use-card-playback'
import { emit } from '#islands/runtime/events'
import type { ItemTrack } from '#src/story/track-rules'
import { FavoriteButton } from '#src/ui/favorite-button'
import { Icon } from '#src/ui/icon'

export type ItemActionsProps = {
  track: ItemTrack
  contentKey: string
  isFavorite: boolean
  isMember: boolean
  /** The item's absolute address, for sharing. */
  shareUrl: string
  hasHeart: boolean
}

/** The actions on an item's own page: play, save, share. */
export default function ItemActions(props: ItemActionsProps) {
  const { track, contentKey, shareUrl, hasHeart } = props
  const { isFavorite, toggle } = useFavorite({ ...props, contentKey })
  const playback = useCardPlayback(track.id)
  const isPlaying = playback?.isPlaying ?? false
  return (
    <div className="btn-row">
      <button
        className="btn btn-primary btn-lg"
        type="button"
        onClick={() => emit('nocturne:play', { track })}
      >
        <Icon name={isPlaying ? 'i-lucide-solid-pause' : 'i-lucide-solid-play'} />
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
        <Icon name="i-lucide-share-2" />
      </button>
      {props.isMember && <SaveOfflineButton track={track} />}
    </div>
  )
}

/** Adds to the queue: right after the current item, or after all items that were chosen before. */
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
        <Icon name="i-lucide-list-start" />
      </button>
      <button
        className="icon-btn"
        type="button"
        aria-label="Add to queue"
        title="Add to queue"
        onClick={() => emit('nocturne:play', { track, place: 'last' })}
      >
        <Icon name="i-lucide-list-plus" />
      </button>
    </>
  )
}

import { Play } from 'lucide-react'
import type { TrackItem } from '#src/story/track'
import { Icon } from '#src/ui/icon'
import { FavoriteButton } from '#src/ui/favorite-button'
import { emit, type Track } from './events'

export type ItemActionsProps = { track: Track & { meta: TrackItem }; contentKey: string; isFavorite: boolean; isMember: boolean; shareUrl: string; hasHeart: boolean }

/** What one does with an item on its own page: play, keep, share. */
export default function ItemActions({ track, isFavorite }: ItemActionsProps) {
  return (
    <div className="btn-row">
      <button className="btn btn-primary btn-lg" type="button" onClick={() => emit('nocturne:play', { track })}>
        <Icon of={Play} isSolid />
        Play
      </button>
      <FavoriteButton isFavorite={isFavorite} />
    </div>
  )
}

import { useFavorite } from '#islands/favorite/favorites-store'
import { FavoriteButton } from '#src/ui/favorite-button'

export type FavoriteProps = {
  contentKey: string
  isFavorite: boolean
  isMember: boolean
  titleId?: string
}

/** The favourite button of an item. */
export default function Favorite(props: FavoriteProps) {
  const { isFavorite, toggle } = useFavorite(props)
  return <FavoriteButton isFavorite={isFavorite} titleId={props.titleId} onToggle={toggle} />
}

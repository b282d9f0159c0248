import { FavoriteButton } from '#src/ui/favorite-button'

export type FavoriteProps = { contentKey: string; isFavorite: boolean; isMember: boolean }

/** The heart of an item. */
export default function Favorite({ isFavorite }: FavoriteProps) {
  return <FavoriteButton isFavorite={isFavorite} />
}

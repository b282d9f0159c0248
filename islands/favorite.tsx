import { useRef } from 'react'
import { useFavorite } from '#islands/favorites-store'
import { useViewed } from '#islands/use-viewed'
import { FavoriteButton } from '#src/ui/favorite-button'

export type FavoriteProps = { contentKey: string; isFavorite: boolean; isMember: boolean }

/** The heart of an item. On a story's card it also notes that the card was seen. */
export default function Favorite(props: FavoriteProps) {
  const mark = useRef<HTMLSpanElement>(null)
  const { isFavorite, toggle } = useFavorite(props.contentKey, props.isFavorite, props.isMember)
  useViewed(mark, props.contentKey)
  return (
    <>
      <span ref={mark} hidden />
      <FavoriteButton isFavorite={isFavorite} onToggle={toggle} />
    </>
  )
}

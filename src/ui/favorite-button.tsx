import { Icon } from '#src/ui/icon'

/**
 * The heart, filled if the item is a favourite. Its name never changes: "Remove, pressed" would mean that it was
 * removed.
 */
export function FavoriteButton({
  isFavorite,
  titleId,
  onToggle,
}: {
  isFavorite: boolean
  /** The id of the item's title beside it. In a list all hearts have the same name. */
  titleId?: string
  onToggle?: () => void
}) {
  return (
    <button
      className="icon-btn favourite"
      type="button"
      aria-pressed={isFavorite}
      aria-label="Add to favorites"
      aria-describedby={titleId}
      onClick={onToggle}
    >
      <Icon name={isFavorite ? 'i-lucide-pressed-heart' : 'i-lucide-heart'} />
    </button>
  )
}

/** The id of the title of a card in a list. */
export const cardTitleId = (itemId: string) => `title-${itemId}`

import { Icon } from '#src/ui/icon'

/** The heart: filled where the item is a favourite. Its name stays: "Remove, pressed" would say that it was removed. */
export function FavoriteButton({ isFavorite, onToggle }: { isFavorite: boolean; onToggle?: () => void }) {
  return (
    <button
      className="icon-btn favourite"
      type="button"
      aria-pressed={isFavorite}
      aria-label="Add to favorites"
      onClick={onToggle}
    >
      <Icon name={isFavorite ? 'i-lucide-pressed-heart' : 'i-lucide-heart'} />
    </button>
  )
}

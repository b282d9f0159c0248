import { type ReactElement, useContext } from 'react'
import { renderToString } from 'react-dom/server'
import { IslandCodes } from '#src/ui/island'

const fragments = new WeakMap<object, Map<string, string>>()

/** A card: what it shows, and all that its markup depends on besides. */
type Card<Item> = {
  item: Item
  /** Nothing in it is what one member alone has; null for a card that is not cached. */
  variant: string | null
  draw: () => ReactElement
}

/**
 * The cards of a long list, drawn one by one. The markup of each is cached with the item that it shows, for as long as
 * that lives, by its variant; and so is that of the whole list as most people see it. Server only.
 */
export function CardList<Item extends { id: string }>({
  className,
  label,
  items,
  cardOf,
}: {
  className: string
  label: string
  items: readonly Item[]
  cardOf: (item: Item) => Omit<Card<Item>, 'item'>
}) {
  const codes = useContext(IslandCodes)
  const cards = items.map((item) => ({ item, ...cardOf(item) }))
  const [first] = cards
  const common = first && cards.every(({ variant }) => variant === first.variant) ? first.variant : null
  const drawAll = () =>
    cards.map((card) => cached(card.item, card.variant, () => drawCard(card, codes))).join('')
  return (
    <section
      className={className}
      aria-label={label}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: React itself made this markup
      dangerouslySetInnerHTML={{ __html: cached(items, common, drawAll) }}
    />
  )
}

function cached(shown: object, variant: string | null, draw: () => string): string {
  if (variant === null) return draw()
  const known = fragments.get(shown) ?? new Map<string, string>()
  fragments.set(shown, known)
  const markup = known.get(variant) ?? draw()
  known.set(variant, markup)
  return markup
}

function drawCard({ item, draw }: Card<{ id: string }>, codes: Record<string, string>): string {
  return renderToString(<IslandCodes value={codes}>{draw()}</IslandCodes>, {
    identifierPrefix: `${item.id}-`,
  })
}

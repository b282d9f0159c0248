import { type ComponentType, createElement, Fragment, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { memoize } from '#src/process/memoize'
import { IslandCodes } from '#src/ui/island'
import { joinPieces, Markup, type Piece, toPiece } from '#src/ui/markup'

type Codes = Record<string, string>
/** Data that a key can be made of. */
type Plain = string | number | boolean | null | undefined | readonly string[]

/**
 * Marks of the places into which the rest is laid: React escapes words, so they cannot be such a mark. The cards come
 * into the page of a list, and into a card what one person alone has there.
 */
const places = { cards: 'nocturne-cards', own: 'nocturne-own' }

export function CardPlace() {
  return createElement(places.cards)
}

export function OwnPlace() {
  return createElement(places.own)
}

/**
 * The page of a list, by a component. Its markup is cached with the list, for as long as that lives, by its props:
 * plain data, so that nothing is in it that is not in the key. The cards are laid into its `<CardPlace>` at each
 * request. Server only.
 */
export function listPage<List extends object, Props extends Record<keyof Props, Plain>>(
  Page: ComponentType<Props & { list: List }>,
) {
  const cached = fragments<readonly Piece[]>()
  return (codes: Codes, list: List, props: Props, cards: readonly Piece[]): Markup => {
    const draw = () => cutAt(places.cards, render(<Page {...props} list={list} />, codes))
    return new Markup(layIn(cached(list, JSON.stringify(props), draw), cards))
  }
}

/** What is drawn on a card besides its item. `ownWords` are laid into its `<OwnPlace>`; null where it has none. */
type CardLook<Props> = { props: Props; ownWords: string | null }

/**
 * The cards of a list, by a component. The markup of each is cached with its item by its props, like that of a page,
 * and so is that of the whole list where all have the same; own words are laid in at each request. Server only.
 */
export function cardList<Item extends { id: string }, Props extends Record<keyof Props, Plain>>(
  Card: ComponentType<Props & { item: Item }>,
) {
  const cachedCard = fragments<readonly Piece[]>()
  const cachedList = fragments<Piece>()
  return (
    codes: Codes,
    items: readonly Item[],
    lookOf: (item: Item) => CardLook<Props>,
  ): readonly Piece[] => {
    const looks = items.map((item) => {
      const { props, ownWords } = lookOf(item)
      return { item, props, ownWords, key: JSON.stringify(props) }
    })
    const drawAll = () =>
      looks.flatMap(({ item, props, ownWords, key }) => {
        const draw = () => cutAt(places.own, render(<Card {...props} item={item} />, codes, `${item.id}-`))
        const pieces = cachedCard(item, key, draw)
        return ownWords === null ? pieces : layIn(pieces, [toPiece(Bun.escapeHTML(ownWords))])
      })
    const [first] = looks
    return first && looks.every(({ key, ownWords }) => key === first.key && ownWords === null)
      ? [cachedList(items, first.key, () => joinPieces(drawAll()))]
      : drawAll()
  }
}

/** A row's card: `own` is laid into its `<OwnPlace>`. What one person alone may see (`isPrivate`) is cached for nobody. */
type RowCard<Props> = { id: string; props: Props; own?: Piece; isPrivate?: boolean }

/**
 * The cards of rows that each request reads anew, by a component: their markup is cached by the whole of their props,
 * which are plain data. Server only.
 */
export function rowCards<Props extends object>(Card: ComponentType<Props>) {
  const cached = memoize<readonly Piece[]>(rowCardsMax)
  return (codes: Codes, cards: readonly RowCard<Props>[]): readonly Piece[] =>
    cards.flatMap(({ id, props, own, isPrivate = false }) => {
      const draw = () => cutAt(places.own, render(<Card {...props} />, codes, `${id}-`))
      const pieces = isPrivate ? draw() : cached(JSON.stringify(props), draw)
      return own ? layIn(pieces, [own]) : pieces
    })
}

/** A card and its key are 2 to 3 KB. */
const rowCardsMax = 1_000

/** Draws an element, and lays cards into its `<CardPlace>`. */
export function drawAround(codes: Codes, element: ReactElement, cards: readonly Piece[]): Markup {
  return new Markup(layIn(cutAt(places.cards, render(element, codes)), cards))
}

/** Draws what stands in the `<OwnPlace>` of each card: all at once, since each drawing of React's has its price. */
export function drawOwn(elements: readonly ReactElement[]): readonly Piece[] {
  const drawn = elements.map((element) => createElement(Fragment, null, element, <OwnPlace />))
  return cutAt(places.own, renderToString(createElement(Fragment, null, ...drawn)))
}

function cutAt(place: string, markup: string): Piece[] {
  return markup.split(`<${place}></${place}>`).map(toPiece)
}

function layIn(pieces: readonly Piece[], laidIn: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [...laidIn, piece]))
}

/** A cache of what is drawn of an object, for as long as that lives. */
function fragments<Drawn>() {
  const byShown = new WeakMap<object, Map<string, Drawn>>()
  return (shown: object, key: string, draw: () => Drawn): Drawn => {
    const known = byShown.get(shown) ?? new Map<string, Drawn>()
    byShown.set(shown, known)
    const drawn = known.get(key) ?? draw()
    known.set(key, drawn)
    return drawn
  }
}

function render(element: ReactElement, codes: Codes, identifierPrefix?: string): string {
  return renderToString(<IslandCodes value={codes}>{element}</IslandCodes>, { identifierPrefix })
}

import { LRUCache } from 'lru-cache'
import { type ComponentType, createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { memoize } from '#src/process/memoize'
import { recordOf } from '#src/shape/pick'
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
  const cacheOf = perBuild(() => fragments<readonly Piece[]>())
  return (codes: Codes, list: List, props: Props, cards: readonly Piece[]): Markup => {
    const draw = () => cutAt(places.cards, render(<Page {...props} list={list} />, codes))
    return new Markup(layIn(cacheOf(codes)(list, JSON.stringify(props), draw), cards))
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
  const cardsOf = perBuild(() => fragments<readonly Piece[]>())
  const listsOf = perBuild(() => fragments<Piece>())
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
        const pieces = cardsOf(codes)(item, key, draw)
        return ownWords === null ? pieces : layIn(pieces, [toPiece(Bun.escapeHTML(ownWords))])
      })
    const [first] = looks
    return first && looks.every(({ key, ownWords }) => key === first.key && ownWords === null)
      ? [listsOf(codes)(items, first.key, () => joinPieces(drawAll()))]
      : drawAll()
  }
}

/**
 * A row's card: `version` is another text once the row is another one, `own` is laid into the card's `<OwnPlace>`.
 * What one person alone may see (`isPrivate`) is cached for nobody.
 */
export type RowCard = { id: string; version: string; own?: Piece; isPrivate?: boolean }

/**
 * The cards of rows, by a component of a row and of props. Their markup is cached by id, version and props: a row whose
 * card is known is not even read, the others are, all at once: at their version or a later one, so from the primary.
 * One that `read` does not find any more has no card. Server only.
 */
export function rowCards<Row extends { id: string }, Props extends { [Name in keyof Props]: Plain } = object>(
  Card: ComponentType<Props & { row: Row }>,
) {
  const cacheOf = perBuild(() => new LRUCache<string, readonly Piece[]>({ max: rowCardsMax }))
  return async (
    codes: Codes,
    props: Props,
    cards: readonly RowCard[],
    read: (ids: readonly string[]) => Promise<readonly Row[]>,
  ): Promise<readonly Piece[]> => {
    const cache = cacheOf(codes)
    const shared = JSON.stringify(props)
    const looks = cards.map(({ isPrivate, ...card }) => {
      const key = isPrivate ? null : `${card.id} ${card.version} ${shared}`
      return { ...card, key, known: key === null ? undefined : cache.get(key) }
    })
    const unknown = looks.flatMap(({ id, known }) => (known ? [] : id))
    const rows = new Map(unknown.length > 0 ? (await read(unknown)).map((row) => [row.id, row]) : [])
    const draw = ({ id, key }: (typeof looks)[number]): readonly Piece[] => {
      const row = rows.get(id)
      if (!row) return []
      const drawn = cutAt(places.own, render(<Card {...props} row={row} />, codes, `${id}-`))
      if (key !== null) cache.set(key, drawn)
      return drawn
    }
    return looks.flatMap((look) => {
      const pieces = look.known ?? draw(look)
      return look.own ? layIn(pieces, [look.own]) : pieces
    })
  }
}

/**
 * Rows that tell of people, by a component of words and of a look: what is there or not. It is drawn once for each
 * look, with a mark in the place of each word; the words are laid in, escaped, at each request, and are cached for
 * nobody, so that no name stays in memory when its member has gone. An address is a word as a whole, never made of one.
 * Server only.
 */
export function wordRows<Word extends string, Look extends { [Name in keyof Look]: boolean }>(
  Row: ComponentType<{ look: Look; words: Record<Word, string> }>,
  names: readonly Word[],
) {
  const cacheOf = perBuild(() => memoize<readonly string[]>(looksMax))
  const marks = recordOf(names, (name) => `nocturne-${name}-word`)
  return (codes: Codes, { look, words }: { look: Look; words: Record<Word, string> }): Piece => {
    const draw = () => render(<Row look={look} words={marks} />, codes).split(/nocturne-(\w+)-word/)
    const parts = cacheOf(codes)(JSON.stringify(look), draw)
    const given: Record<string, string> = words
    return toPiece(
      parts.map((part, at) => (at % 2 === 0 ? part : Bun.escapeHTML(given[part] ?? ''))).join(''),
    )
  }
}

/** A row's look is 1 KB. */
const looksMax = 100

/** A card is 2 to 3 KB. */
const rowCardsMax = 1_000

type RowsPage<Props> = { props: Props; cards: readonly Piece[]; isPrivate?: boolean }

/**
 * The page around the cards of rows, by a component. Its markup is cached by the whole of its props, which are plain
 * data; for nobody where one person alone may see it (`isPrivate`). Server only.
 */
export function rowsPage<Props extends object>(Page: ComponentType<Props>) {
  const cacheOf = perBuild(() => memoize<readonly Piece[]>(rowsPagesMax))
  return (codes: Codes, { props, cards, isPrivate = false }: RowsPage<Props>): Markup => {
    const draw = () => cutAt(places.cards, render(<Page {...props} />, codes))
    return new Markup(layIn(isPrivate ? draw() : cacheOf(codes)(JSON.stringify(props), draw), cards))
  }
}

/** A page without its cards is 5 to 15 KB. */
const rowsPagesMax = 200

/** Draws an element, and lays cards into its `<CardPlace>`. */
export function drawAround(codes: Codes, element: ReactElement, cards: readonly Piece[]): Markup {
  return new Markup(layIn(cutAt(places.cards, render(element, codes)), cards))
}

function cutAt(place: string, markup: string): Piece[] {
  return markup.split(`<${place}></${place}>`).map(toPiece)
}

function layIn(pieces: readonly Piece[], laidIn: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [...laidIn, piece]))
}

/** A cache of markup for each build: the files of its islands stand in what is drawn. */
function perBuild<Cache>(open: () => Cache): (codes: Codes) => Cache {
  const caches = new WeakMap<Codes, Cache>()
  return (codes) => {
    const cache = caches.get(codes) ?? open()
    caches.set(codes, cache)
    return cache
  }
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

import { LRUCache } from 'lru-cache'
import { type ComponentType, createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { memoize } from '#src/process/memoize'
import { recordOf } from '#src/shape/pick'
import { IslandCodes } from '#src/ui/island'
import { joinPieces, Markup, type Piece, toPiece } from '#src/ui/markup'

type Codes = Record<string, string>
/** Data that a cache key can be made of. */
type Plain = string | number | boolean | null | undefined | readonly string[]

/**
 * Placeholders that are replaced in cached markup: the cards in the page of a list, and personal content in a card.
 * React escapes text, so a text cannot contain such an element.
 */
const places = { cards: 'nocturne-cards', own: 'nocturne-own' }

export function CardPlace() {
  return createElement(places.cards)
}

export function OwnPlace() {
  return createElement(places.own)
}

/**
 * Returns a function that renders the page of a list. The markup is cached for as long as the list lives, by its props.
 * These are plain data, so that the page depends on nothing that is not in the key. Every request replaces its
 * `<CardPlace>` by the cards. Server only.
 */
export function listPage<List extends object, Props extends Record<keyof Props, Plain>>(
  Page: ComponentType<Props & { list: List }>,
) {
  const cacheOf = perBuild(() => fragments<readonly Piece[]>())
  return (codes: Codes, list: List, props: Props, cards: readonly Piece[]): Markup => {
    const draw = () => cutAt(places.cards, render(<Page {...props} list={list} />, codes))
    return new Markup(insertPieces(cacheOf(codes)(list, JSON.stringify(props), draw), cards))
  }
}

/** The props of a card apart from its item. `ownWords` replace its `<OwnPlace>`; null if it has none. */
type CardLook<Props> = { props: Props; ownWords: string | null }

/**
 * Returns a function that renders the cards of a list. The markup of each card is cached with its item, by its props,
 * like that of a page. The markup of the whole list is cached too, if all cards have the same props and no personal
 * words. Those are inserted at each request. Server only.
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
        return ownWords === null ? pieces : insertPieces(pieces, [toPiece(Bun.escapeHTML(ownWords))])
      })
    const [first] = looks
    return first && looks.every(({ key, ownWords }) => key === first.key && ownWords === null)
      ? [listsOf(codes)(items, first.key, () => joinPieces(drawAll()))]
      : drawAll()
  }
}

/**
 * A row's card. `version` changes whenever the row does. `own` replaces the card's `<OwnPlace>`. A card that only one
 * person may see (`isPrivate`) is not cached.
 */
export type RowCard = { id: string; version: string; own?: Piece; isPrivate?: boolean }

/**
 * Returns a function that renders the cards of rows. Their markup is cached by id, version and props. Rows with a
 * cached card are not read; all others are read in one query, at their version or a later one, which means from the
 * primary. A row that `read` no longer finds has no card. Server only.
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
      return look.own ? insertPieces(pieces, [look.own]) : pieces
    })
  }
}

/**
 * Returns a function that renders rows about people. The component gets a look, which says what is there or not, and
 * words. It is rendered once per look, with a placeholder for each word. Words are escaped and inserted at each request
 * and never cached, so that no name stays in memory after its member has gone. An address is one whole word, and must
 * not be built from a word. Server only.
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

/** The markup of a look takes 1 KB. */
const looksMax = 100

/** A card takes 2 to 3 KB. */
const rowCardsMax = 1_000

type RowsPage<Props> = { props: Props; cards: readonly Piece[]; isPrivate?: boolean }

/**
 * Returns a function that renders the page around the cards of rows. Its markup is cached by all of its props, which
 * are plain data. A page that only one person may see (`isPrivate`) is not cached. Server only.
 */
export function rowsPage<Props extends object>(Page: ComponentType<Props>) {
  const cacheOf = perBuild(() => memoize<readonly Piece[]>(rowsPagesMax))
  return (codes: Codes, { props, cards, isPrivate = false }: RowsPage<Props>): Markup => {
    const draw = () => cutAt(places.cards, render(<Page {...props} />, codes))
    return new Markup(insertPieces(isPrivate ? draw() : cacheOf(codes)(JSON.stringify(props), draw), cards))
  }
}

/** A page without its cards takes 5 to 15 KB. */
const rowsPagesMax = 200

/** Renders an element, and replaces its `<CardPlace>` by the cards. */
export function drawAround(codes: Codes, element: ReactElement, cards: readonly Piece[]): Markup {
  return new Markup(insertPieces(cutAt(places.cards, render(element, codes)), cards))
}

function cutAt(place: string, markup: string): Piece[] {
  return markup.split(`<${place}></${place}>`).map(toPiece)
}

function insertPieces(pieces: readonly Piece[], inserted: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [...inserted, piece]))
}

/** One cache per build, since the markup contains the names of its island files. */
function perBuild<Cache>(open: () => Cache): (codes: Codes) => Cache {
  const caches = new WeakMap<Codes, Cache>()
  return (codes) => {
    const cache = caches.get(codes) ?? open()
    caches.set(codes, cache)
    return cache
  }
}

/** Cache of markup that belongs to an object. It lives as long as the object. */
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

import { describe, expect, test } from 'bun:test'
import { renderToString } from 'react-dom/server'
import {
  CardPlace,
  cardList,
  drawAround,
  listPage,
  OwnPlace,
  type RowCard,
  rowCards,
  rowsPage,
  wordRows,
} from '#src/ui/fragments'
import { LocalTime, localTimeMarkup } from '#src/ui/local-time'
import { joinPieces, type Piece, toPiece } from '#src/ui/markup'

/** A build without islands. */
const codes = {}

type Item = { id: string; title: string }
type Look = { isFavorite: boolean; isBegun: boolean }

let drawn = 0
const drawCards = cardList<Item, Look>(({ item, isFavorite, isBegun }) => {
  drawn += 1
  return (
    <p>
      {item.title}
      {isFavorite && <b>♥</b>}
      {isBegun && <OwnPlace />}
    </p>
  )
})
const drawPage = listPage<readonly Item[], { q: string }>(({ list, q }) => (
  <main title={q}>
    {q}
    {list.length > 0 && <CardPlace />}
  </main>
))

const textOf = (pieces: readonly Piece[]) => new TextDecoder().decode(joinPieces(pieces))
const plain = { isFavorite: false, isBegun: false }
const shelf = (): Item[] => ['Ferry', 'Salt'].map((title) => ({ id: title, title }))
const cardsFor = (
  items: readonly Item[],
  marks: Record<string, { props?: Partial<Look>; ownWords?: string }>,
) =>
  textOf(
    drawCards(codes, items, ({ id }) => ({
      props: { ...plain, ...marks[id]?.props },
      ownWords: marks[id]?.ownWords ?? null,
    })),
  )

test('a card is rendered once per set of props, for all viewers', () => {
  const items = shelf()
  drawn = 0
  for (const _ of [1, 2]) {
    expect(cardsFor(items, {})).toBe('<p>Ferry</p><p>Salt</p>')
    expect(cardsFor(items, { Salt: { props: { isFavorite: true } } })).toBe('<p>Ferry</p><p>Salt<b>♥</b></p>')
  }
  expect(drawn).toBe(3)
})

test('a viewer’s own words are escaped and inserted into their card only', () => {
  const items = shelf()
  const begun = (ownWords: string) => ({ Ferry: { props: { isBegun: true }, ownWords } })
  for (const words of ['<script>"&', '40', '$&'])
    expect(cardsFor(items, begun(words))).toBe(`<p>Ferry${Bun.escapeHTML(words)}</p><p>Salt</p>`)
  expect(cardsFor(items, {})).toBe('<p>Ferry</p><p>Salt</p>')
})

test('a list whose cards all contain the viewer’s words is not cached', () => {
  const items = shelf().slice(0, 1)
  const begun = (ownWords: string) => ({ Ferry: { props: { isBegun: true }, ownWords } })
  expect(cardsFor(items, begun('40'))).toBe('<p>Ferry40</p>')
  expect(cardsFor(items, begun('60'))).toBe('<p>Ferry60</p>')
})

test('cards replace the page’s placeholder, and no text that looks like it', () => {
  const items = shelf()
  const cards = drawCards({}, items, () => ({ props: plain, ownWords: null }))
  const q = '<nocturne-cards></nocturne-cards>'
  for (const each of [q, 'x', q]) {
    const words = Bun.escapeHTML(each)
    const html = textOf(drawPage({}, items, { q: each }, cards).pieces)
    expect(html).toBe(`<main title="${words}">${words}<p>Ferry</p><p>Salt</p></main>`)
  }
  expect(textOf(drawPage({}, [], { q: 'x' }, cards).pieces)).toBe('<main title="x">x</main>')
})

describe('rowCards', () => {
  const openRows = () => {
    const drawn: string[] = []
    const draw = rowCards<Item, { q: string }>(({ row: { title }, q }) => {
      drawn.push(title)
      return (
        <p>
          {title}
          {q && <b>{q}</b>}
          <OwnPlace />
        </p>
      )
    })
    const stored = new Map(shelf().map((item) => [item.id, item]))
    const read: string[][] = []
    const readRows = async (ids: readonly string[]) => {
      read.push([...ids])
      return ids.flatMap((id) => stored.get(id) ?? []).reverse()
    }
    const cards = (ids: readonly string[], own: string, more: Partial<RowCard> = {}) =>
      ids.map((id) => ({ id, version: '1', own: toPiece(`<i>${own}</i>`), ...more }))
    return {
      stored,
      drawn,
      read,
      cards,
      draw: async (q: string, shown: readonly RowCard[]) => textOf(await draw(codes, { q }, shown, readRows)),
    }
  }

  test('reads and renders a row once per version, and inserts each viewer’s own part', async () => {
    const { drawn, read, draw, cards } = openRows()
    for (const own of ['1', '2', '1'])
      expect(await draw('', cards(['Ferry', 'Salt'], own))).toBe(
        `<p>Ferry<i>${own}</i></p><p>Salt<i>${own}</i></p>`,
      )
    expect([drawn, read]).toEqual([['Ferry', 'Salt'], [['Ferry', 'Salt']]])
  })

  test('caches by row, version and props', async () => {
    const { stored, read, draw, cards } = openRows()
    expect(await draw('a', cards(['Ferry'], ''))).toBe('<p>Ferry<b>a</b><i></i></p>')
    expect(await draw('b', cards(['Ferry'], ''))).toBe('<p>Ferry<b>b</b><i></i></p>')
    expect(await draw('b', cards(['Salt', 'Ferry'], ''))).toBe(
      '<p>Salt<b>b</b><i></i></p><p>Ferry<b>b</b><i></i></p>',
    )
    expect(read).toEqual([['Ferry'], ['Ferry'], ['Salt']])
    stored.set('Ferry', { id: 'Ferry', title: 'Night Ferry' })
    expect(await draw('b', cards(['Ferry'], '', { version: '2' }))).toBe('<p>Night Ferry<b>b</b><i></i></p>')
  })

  test('does not cache private cards', async () => {
    const { drawn, draw, cards } = openRows()
    for (const _ of [1, 2]) await draw('', cards(['Ferry'], '', { isPrivate: true }))
    await draw('', cards(['Ferry'], ''))
    expect(drawn).toEqual(['Ferry', 'Ferry', 'Ferry'])
  })

  test('leaves out deleted rows and does not cache their absence', async () => {
    const { stored, draw, cards } = openRows()
    stored.delete('Salt')
    expect(await draw('', cards(['Ferry', 'Salt'], ''))).toBe('<p>Ferry<i></i></p>')
    stored.set('Salt', { id: 'Salt', title: 'Salt' })
    expect(await draw('', cards(['Ferry', 'Salt'], ''))).toBe('<p>Ferry<i></i></p><p>Salt<i></i></p>')
  })
})

test('rowsPage renders a public page once per props, and a private one at every request', () => {
  let drawn = 0
  const draw = rowsPage(({ counts: { all } }: { counts: { all: number } }) => {
    drawn += 1
    return (
      <main>
        {all}
        <CardPlace />
      </main>
    )
  })
  const pageOf = (all: number, card: string, isPrivate = false) =>
    textOf(draw(codes, { props: { counts: { all } }, cards: [toPiece(card)], isPrivate }).pieces)
  expect([pageOf(1, 'a'), pageOf(1, 'b'), pageOf(2, 'b')]).toEqual([
    '<main>1a</main>',
    '<main>1b</main>',
    '<main>2b</main>',
  ])
  expect(drawn).toBe(2)
  for (const _ of [1, 2]) expect(pageOf(1, 'c', true)).toBe('<main>1c</main>')
  expect(drawn).toBe(4)
})

type NamedRow = { look: { hasName: boolean }; words: Record<'title' | 'href' | 'name', string> }
let namedRowsDrawn = 0
function NamedRow({ look: { hasName }, words }: NamedRow) {
  namedRowsDrawn += 1
  return (
    <p title={words.title}>
      <a href={words.href}>{words.title}</a>
      {hasName && <b>{words.name}</b>}
    </p>
  )
}

test('wordRows renders once per look, matches React’s output and caches no words', () => {
  const drawRow = wordRows(NamedRow, ['title', 'href', 'name'])
  const rows = [
    { look: { hasName: true }, words: { title: 'ana@example.com', href: '/members/1?a=1&b="', name: 'Ana' } },
    {
      look: { hasName: true },
      words: { title: 'eve@example.com', href: '/members/1?a=1&b="', name: `"><script>&'</b>` },
    },
    {
      look: { hasName: true },
      words: { title: 'nocturne-name-word', href: '/members/1?a=1&b="', name: 'nocturne-title-word $1' },
    },
    { look: { hasName: false }, words: { title: 'leo@example.com', href: '/members/1?a=1&b="', name: '' } },
  ]
  namedRowsDrawn = 0
  const written = rows.map((row) => textOf([drawRow(codes, row)]))
  expect(namedRowsDrawn).toBe(2)
  expect(written).toEqual(rows.map((row) => renderToString(<NamedRow {...row} />)))
})

test('cards and pages are rendered again for another build', async () => {
  const drawn: string[] = []
  const drawCards = rowCards<Item>(({ row }) => {
    drawn.push('card')
    return <p>{row.title}</p>
  })
  const drawPage = rowsPage(() => {
    drawn.push('page')
    return <CardPlace />
  })
  const cards = [{ id: 'Ferry', version: '1' }]
  for (const build of [codes, { vote: 'vote-1.js' }, codes])
    drawPage(build, { props: {}, cards: await drawCards(build, {}, cards, async () => shelf()) })
  expect(drawn).toEqual(['card', 'page', 'card', 'page'])
})

test('localTimeMarkup matches React’s output', () => {
  for (const at of ['2026-11-21T18:02:03.004Z', '2026-01-01T00:00:00.000Z'])
    expect(localTimeMarkup(at)).toBe(renderToString(<LocalTime at={at} />))
})

test('drawAround inserts cards into a page rendered for one request', () => {
  const cards = drawCards({}, shelf(), () => ({ props: plain, ownWords: null }))
  const page = (
    <main>
      {'<nocturne-cards></nocturne-cards>'}
      <CardPlace />
    </main>
  )
  expect(textOf(drawAround({}, page, cards).pieces)).toBe(
    '<main>&lt;nocturne-cards&gt;&lt;/nocturne-cards&gt;<p>Ferry</p><p>Salt</p></main>',
  )
})

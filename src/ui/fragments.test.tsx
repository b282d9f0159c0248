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
    drawCards({}, items, ({ id }) => ({
      props: { ...plain, ...marks[id]?.props },
      ownWords: marks[id]?.ownWords ?? null,
    })),
  )

test('a card is drawn once for each look that it has, whoever asks', () => {
  const items = shelf()
  drawn = 0
  for (const _ of [1, 2]) {
    expect(cardsFor(items, {})).toBe('<p>Ferry</p><p>Salt</p>')
    expect(cardsFor(items, { Salt: { props: { isFavorite: true } } })).toBe('<p>Ferry</p><p>Salt<b>♥</b></p>')
  }
  expect(drawn).toBe(3)
})

test('what is a person’s own is laid into a card for them alone, as words', () => {
  const items = shelf()
  const begun = (ownWords: string) => ({ Ferry: { props: { isBegun: true }, ownWords } })
  for (const words of ['<script>"&', '40', '$&'])
    expect(cardsFor(items, begun(words))).toBe(`<p>Ferry${Bun.escapeHTML(words)}</p><p>Salt</p>`)
  expect(cardsFor(items, {})).toBe('<p>Ferry</p><p>Salt</p>')
})

test('a list whose cards all have their reader’s words is cached for nobody', () => {
  const items = shelf().slice(0, 1)
  const begun = (ownWords: string) => ({ Ferry: { props: { isBegun: true }, ownWords } })
  expect(cardsFor(items, begun('40'))).toBe('<p>Ferry40</p>')
  expect(cardsFor(items, begun('60'))).toBe('<p>Ferry60</p>')
})

test('the cards come into the place of a page, and into no words that are like it', () => {
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

describe('the cards of rows', () => {
  const openRows = () => {
    const drawn: string[] = []
    const draw = rowCards<{ title: string }, { q: string }>(({ row: { title }, q }) => {
      drawn.push(title)
      return (
        <p>
          {title}
          {q && <b>{q}</b>}
          <OwnPlace />
        </p>
      )
    }, JSON.parse)
    const rows = (titles: readonly string[], own: string, isPrivate = false) =>
      titles.map((title) => ({
        id: title,
        row: JSON.stringify({ title }),
        own: toPiece(`<i>${own}</i>`),
        isPrivate,
      }))
    return { drawn, rows, draw: (q: string, cards: readonly RowCard[]) => textOf(draw(codes, { q }, cards)) }
  }

  test('are drawn once for their row, whoever asks, with each one’s own laid in', () => {
    const { drawn, draw, rows } = openRows()
    for (const own of ['1', '2', '1'])
      expect(draw('', rows(['Ferry', 'Salt'], own))).toBe(`<p>Ferry<i>${own}</i></p><p>Salt<i>${own}</i></p>`)
    expect(drawn).toEqual(['Ferry', 'Salt'])
  })

  test('are others for other rows and for other props', () => {
    const { draw, rows } = openRows()
    for (const [title, q] of [
      ['Ferry', 'a'],
      ['Ferry', 'b'],
      ['Salt', 'b'],
    ] as const)
      expect(draw(q, rows([title], ''))).toBe(`<p>${title}<b>${q}</b><i></i></p>`)
  })

  test('that one person alone may see are cached for nobody', () => {
    const { drawn, draw, rows } = openRows()
    for (const _ of [1, 2]) draw('', rows(['Ferry'], '', true))
    expect(drawn).toEqual(['Ferry', 'Ferry'])
  })
})

test('the page around rows is drawn once for its props, and each time where it is private', () => {
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

test('cards and the page around them are drawn anew for another build', () => {
  const drawn: string[] = []
  const drawCards = rowCards<{ title: string }>(({ row }) => {
    drawn.push('card')
    return <p>{row.title}</p>
  }, JSON.parse)
  const drawPage = rowsPage(() => {
    drawn.push('page')
    return <CardPlace />
  })
  const cards = [{ id: 'a', row: '{"title":"Ferry"}' }]
  for (const build of [codes, { vote: 'vote-1.js' }, codes])
    drawPage(build, { props: {}, cards: drawCards(build, {}, cards) })
  expect(drawn).toEqual(['card', 'page', 'card', 'page'])
})

test('a time that is written out is what React draws of it', () => {
  for (const at of ['2026-11-21T18:02:03.004Z', '2026-01-01T00:00:00.000Z'])
    expect(localTimeMarkup(at)).toBe(renderToString(<LocalTime at={at} />))
})

test('cards are laid into a page that is drawn for one request', () => {
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

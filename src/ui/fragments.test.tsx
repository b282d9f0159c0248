import { expect, test } from 'bun:test'
import { CardPlace, cardList, drawAround, drawOwn, listPage, OwnPlace, rowCards } from '#src/ui/fragments'
import { joinPieces, type Piece } from '#src/ui/markup'

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

test('a row’s card is drawn once for its data, and a private one for nobody else', () => {
  let drawn = 0
  const draw = rowCards<{ title: string }>(({ title }) => {
    drawn += 1
    return (
      <p>
        {title}
        <OwnPlace />
      </p>
    )
  })
  const rows = (isPrivate: boolean, at: string) =>
    ['Ferry', 'Salt'].map((title, place) => ({
      ...{ id: title, props: { title }, isPrivate },
      own: drawOwn([<i key="a">{at}</i>, <b key="b">{at}</b>])[place],
    }))
  for (const at of ['1', '<2>', '1']) {
    const own = Bun.escapeHTML(at)
    expect(textOf(draw({}, rows(false, at)))).toBe(`<p>Ferry<i>${own}</i></p><p>Salt<b>${own}</b></p>`)
  }
  expect(drawn).toBe(2)
  for (const at of ['1', '2'])
    expect(textOf(draw({}, rows(true, at)))).toBe(`<p>Ferry<i>${at}</i></p><p>Salt<b>${at}</b></p>`)
  expect(drawn).toBe(6)
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

import { describe, expect, test } from 'bun:test'
import { splitSentences } from './split-sentences'

const sentences = (text: string) => splitSentences(text).map((sentence) => sentence.text)

describe('sentences', () => {
  test('end where they end', () => {
    expect(sentences('She waited. He came! Was it late? It was…  Nobody minded.')).toEqual([
      'She waited.',
      'He came!',
      'Was it late?',
      'It was…',
      'Nobody minded.',
    ])
  })

  test('do not end at an abbreviation or an initial', () => {
    expect(sentences('Mr. Lind met Dr. J. R. Okafor, i.e. the clockmaker. They talked.')).toEqual([
      'Mr. Lind met Dr. J. R. Okafor, i.e. the clockmaker.',
      'They talked.',
    ])
  })

  test('end at what people say, even where it could be an abbreviation', () => {
    expect(sentences('“No.” She laughed. No. He said it again. It was I. Room No. 5 was dark.')).toEqual([
      '“No.”',
      'She laughed.',
      'No.',
      'He said it again.',
      'It was I.',
      'Room No. 5 was dark.',
    ])
  })

  test('do not end between speech and who says it', () => {
    expect(sentences('“Come in.” she said. “Is it cold?” he asked. “Yes.”')).toEqual([
      '“Come in.” she said.',
      '“Is it cold?” he asked.',
      '“Yes.”',
    ])
  })

  test('are found again in the text they come from', () => {
    const text = '  One.   Two, and so on.\tThree! '
    for (const { text: sentence, at } of splitSentences(text))
      expect(text.slice(at, at + sentence.length)).toBe(sentence)
  })

  test('that have no end are cut where one can breathe', () => {
    const endless = `${'and then the rain came, '.repeat(200)}end.`
    const parts = splitSentences(endless)
    expect(Math.max(...parts.map(({ text }) => text.length))).toBeLessThanOrEqual(400)
    expect(parts.slice(0, -1).every(({ text }) => text.endsWith(','))).toBe(true)
    expect(parts.map(({ text }) => text).join(' ')).toBe(endless)
    expect(Math.max(...sentences('x'.repeat(5_000)).map((text) => text.length))).toBeLessThanOrEqual(400)
  })

  test('without a word in them are not spoken', () => {
    expect(sentences('* * *')).toEqual([])
    expect(sentences('…')).toEqual([])
  })
})

import { describe, expect, test } from 'bun:test'
import { splitSentences } from './split-sentences'

const sentences = (text: string) => splitSentences(text).map((sentence) => sentence.text)

describe('sentences', () => {
  test('end at a full stop, an exclamation mark, a question mark or an ellipsis', () => {
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

  test('end at “No.” and “I.” used as words, but not at “No. 5”', () => {
    expect(sentences('“No.” She laughed. No. He said it again. It was I. Room No. 5 was dark.')).toEqual([
      '“No.”',
      'She laughed.',
      'No.',
      'He said it again.',
      'It was I.',
      'Room No. 5 was dark.',
    ])
  })

  test('do not end between direct speech and its attribution', () => {
    expect(sentences('“Come in.” she said. “Is it cold?” he asked. “Yes.”')).toEqual([
      '“Come in.” she said.',
      '“Is it cold?” he asked.',
      '“Yes.”',
    ])
  })

  test('carry their offset in the source text', () => {
    const text = '  One.   Two, and so on.\tThree! '
    for (const { text: sentence, at } of splitSentences(text))
      expect(text.slice(at, at + sentence.length)).toBe(sentence)
  })

  test('are cut at 400 characters, at a comma if there is one', () => {
    const endless = `${'and then the rain came, '.repeat(200)}end.`
    const parts = splitSentences(endless)
    expect(Math.max(...parts.map(({ text }) => text.length))).toBeLessThanOrEqual(400)
    expect(parts.slice(0, -1).every(({ text }) => text.endsWith(','))).toBe(true)
    expect(parts.map(({ text }) => text).join(' ')).toBe(endless)
    expect(Math.max(...sentences('x'.repeat(5_000)).map((text) => text.length))).toBeLessThanOrEqual(400)
  })

  test('are left out when they contain no word', () => {
    expect(sentences('* * *')).toEqual([])
    expect(sentences('…')).toEqual([])
  })
})

import { describe, expect, test } from 'bun:test'
import { paragraphsOf } from './paragraphs'

const paragraphs = (text: string) => [...paragraphsOf(text)].map(({ paragraph }) => paragraph)

test('paragraphs end at an empty line and carry their offset', () => {
  const text = 'She waited.\nHe came.\n \n\nNobody minded.'
  expect([...paragraphsOf(text)]).toEqual([
    { paragraph: 'She waited.\nHe came.', at: 0 },
    { paragraph: 'Nobody minded.', at: text.indexOf('Nobody') },
  ])
})

describe('a very long paragraph', () => {
  test('is cut at the ends of sentences, not at abbreviations', () => {
    const sentence = 'They met Mr. Lind at the quay before the rain. '
    const parts = paragraphs(sentence.repeat(1_000))
    expect(parts.length).toBeGreaterThan(5)
    for (const part of parts) expect(part.replaceAll(sentence, '')).toBe('')
  })

  test.each(['They met, Mr. Lind ', 'x', '🌙', '字。', 'No. 5 '])(
    'of %j alone is cut without losing or breaking a character',
    (unit) => {
      const text = `A${unit.repeat(20_000)}`
      const parts = paragraphs(text)
      expect(parts.join('') === text).toBe(true)
      for (const part of parts)
        expect([part.length > 7_500, part.length < 2_500, part.isWellFormed()]).toEqual([false, false, true])
    },
  )
})

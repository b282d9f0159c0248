import { expect, test } from 'bun:test'
import { tidyLine, tidyText } from '#src/text/tidy-text'
import { normalizeText } from './normalize'

test('text that nobody can see is none, whatever it is made of', () => {
  for (const unseen of ['\u200B', '\u200D\u2060\u00AD', '\u00A0 \u3000', '\u3164\uFE0F', '\u202E\u2066']) {
    expect(tidyLine(unseen)).toBe('')
    expect(tidyText(unseen)).toBe('')
  }
})

test('joiners stay where they join: emoji, Persian, Hindi', () => {
  for (const seen of ['👩‍❤️‍👨', 'می\u200Cخواهم', 'क्\u200Dष']) expect(tidyLine(seen)).toBe(seen)
})

test('marks in a row are told apart by a joiner that nobody sees, the same way again', () => {
  const many = `a${'\u0316\u0301'.repeat(100)}`
  const tidy = tidyText(many)
  expect(tidy.replaceAll('\u034f', '').length).toBe(200)
  expect(Math.max(...tidy.split('\u034f').map((run) => run.length))).toBeLessThanOrEqual(31)
  expect(tidyText(tidy)).toBe(tidy)
  expect(tidyText('Ça va bien, Việt Nam — क्षत्रिय')).toBe('Ça va bien, Việt Nam — क्षत्रिय')
})

test('letters that become marks, the sound marks of Japanese in half width, are counted as marks', () => {
  const runs = normalizeText('\uff9e\u0334'.repeat(100), 'NFKD').split('\u034f')
  expect(Math.max(...runs.map((run) => run.length))).toBe(30)
  expect(normalizeText('\uff76\uff9e', 'NFKC')).toBe('\u30ac')
})

import { expect, test } from 'bun:test'
import { tidyLine, tidyText } from '#src/text/tidy-text'
import { normalizeText } from './normalize'

test('text of invisible characters only becomes empty', () => {
  for (const unseen of ['\u200B', '\u200D\u2060\u00AD', '\u00A0 \u3000', '\u3164\uFE0F', '\u202E\u2066']) {
    expect(tidyLine(unseen)).toBe('')
    expect(tidyText(unseen)).toBe('')
  }
})

test('joiners are kept in emoji, Persian and Hindi', () => {
  for (const seen of ['👩‍❤️‍👨', 'می\u200Cخواهم', 'क्\u200Dष']) expect(tidyLine(seen)).toBe(seen)
})

test('long runs of combining marks are split by invisible joiners, idempotently', () => {
  const many = `a${'\u0316\u0301'.repeat(100)}`
  const tidy = tidyText(many)
  expect(tidy.replaceAll('\u034f', '').length).toBe(200)
  expect(Math.max(...tidy.split('\u034f').map((run) => run.length))).toBeLessThanOrEqual(31)
  expect(tidyText(tidy)).toBe(tidy)
  expect(tidyText('Ça va bien, Việt Nam — क्षत्रिय')).toBe('Ça va bien, Việt Nam — क्षत्रिय')
})

test('half-width Japanese sound marks count as combining marks', () => {
  const runs = normalizeText('\uff9e\u0334'.repeat(100), 'NFKD').split('\u034f')
  expect(Math.max(...runs.map((run) => run.length))).toBe(30)
  expect(normalizeText('\uff76\uff9e', 'NFKC')).toBe('\u30ac')
})

import { expect, test } from 'bun:test'
import { tidyLine, tidyText } from '#src/text/tidy-text'

test('text that nobody can see is none, whatever it is made of', () => {
  for (const unseen of ['\u200B', '\u200D\u2060\u00AD', '\u00A0 \u3000', '\u3164\uFE0F', '\u202E\u2066']) {
    expect(tidyLine(unseen)).toBe('')
    expect(tidyText(unseen)).toBe('')
  }
})

test('joiners stay where they join: emoji, Persian, Hindi', () => {
  for (const seen of ['👩‍❤️‍👨', 'می\u200Cخواهم', 'क्\u200Dष']) expect(tidyLine(seen)).toBe(seen)
})

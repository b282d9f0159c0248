import { expect, test } from 'bun:test'
import { printTranscript } from '#src/feed/transcript'
import { spokenText } from '#src/narration/spoken-text'
import { alignWords } from '#src/narration/timing/align-words'
import { readHeardWords } from '#src/narration/timing/read-heard-words'
import { wordsOf } from '#src/narration/timing/split-words'
import { enhanceText } from '#src/script/enhance'
import { sentencesOf } from '#src/script/format/changed-sentences'
import { parseScript } from '#src/script/format/parse-script'
import { preview } from '#src/story/rules'
import { titleKey } from '#src/story/title-key'
import { coverSeed } from '#src/text/cover-seed'
import { tidyLine, tidyText } from '#src/text/tidy-text'
import { isSceneBreak, listParagraphs } from '#src/ui/story-text'

/**
 * Functions that read texts of members, operators and files. Their time has to grow linearly with the length: when it
 * grew quadratically, a text of 60,000 characters blocked the program for up to 20 seconds.
 */
const readers: Record<string, (text: string) => unknown> = {
  tidyLine,
  tidyText,
  titleKey,
  coverSeed,
  preview: (text) => preview(text, 150),
  listParagraphs,
  isSceneBreak,
  sentencesOf,
  parseScript,
  enhanceText: (text) => enhanceText(text, 'flow'),
  wordsOf: (text) => wordsOf(text, 0),
  alignWords: (text) => alignWords(text, [{ text: 'a', startSeconds: 0, endSeconds: 1, isExact: true }]),
  readHeardWords: (text) => readHeardWords(`00:01.000 --> 00:02.000\na ${text}`),
  spokenText: (text) => spokenText(text, 0),
  printTranscript: (text) =>
    printTranscript(text, [{ at: 0, length: text.length, startSeconds: 0, endSeconds: 1 }]),
}

const units = [
  ...[
    ' ',
    '\n',
    ' \n',
    'a',
    '.',
    ',',
    ':',
    ';',
    '-',
    '*',
    '_',
    '#',
    '0',
    '…',
    '“',
    '"',
    "'",
    ')',
    '<',
    '{',
    '[',
  ],
  ...[
    '. ',
    '… ',
    '" ',
    '* ',
    '# ',
    '— ',
    'a! ',
    'A! b ',
    'Mr. A ',
    'No. 1 ',
    '!"',
    '*a',
    '[a',
    '[pause ',
    '[slower]a[/slower]',
    '\\[',
    '\\',
  ],
  ...['\u0301', '\u0301\u0316', '\u0344\u0316', '\uff9e\u0334', '\u200b', '字。', '🌙'],
]
const charactersMax = 20_000
const texts = units.flatMap((unit) =>
  ['', '', 'a…'].flatMap((before) =>
    ['', ' A.', 'x'].map((after) => before + unit.repeat(charactersMax / unit.length) + after),
  ),
)

test.each(Object.entries(readers))('%s takes linear time on adversarial texts', async (_, read) => {
  for (const text of texts) {
    const before = process.threadCpuUsage()
    await read(text)
    const { user, system } = process.threadCpuUsage(before)
    const seen = `${JSON.stringify(text.slice(0, 20))}: ${Math.round((user + system) / 1_000)} ms`
    // Microseconds: ten times as long as the slowest takes, and a fifth of what quadratic time would be at this
    // length.
    expect(user + system < 200_000 || seen).toBe(true)
  }
})

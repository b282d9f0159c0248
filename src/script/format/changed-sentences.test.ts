import { expect, test } from 'bun:test'
import { changedSentences } from './changed-sentences'

const before = 'The lamp swung. He rowed.\n\nThe lamp swung.'

test('a corrected sentence is new, the others are not, wherever they stand', async () => {
  expect(await changedSentences(before, 'The lamp swung. He rowed on.\n\nThe lamp swung.')).toEqual([
    'He rowed on.',
  ])
  expect(await changedSentences(before, 'He rowed.\r\n\r\nThe lamp\r\nswung. The lamp swung.')).toEqual([])
  expect(await changedSentences(before, '')).toEqual([])
})

test('a sentence that is there more often than before is new as often', async () => {
  expect(await changedSentences(before, `${before} The lamp swung.`)).toEqual(['The lamp swung.'])
})

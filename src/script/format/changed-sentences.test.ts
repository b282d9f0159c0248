import { expect, test } from 'bun:test'
import { changedSentences } from './changed-sentences'

const before = 'The lamp swung. He rowed.\n\nThe lamp swung.'

test('only a corrected sentence counts as new, not a moved or rewrapped one', async () => {
  expect(await changedSentences(before, 'The lamp swung. He rowed on.\n\nThe lamp swung.')).toEqual([
    'He rowed on.',
  ])
  expect(await changedSentences(before, 'He rowed.\r\n\r\nThe lamp\r\nswung. The lamp swung.')).toEqual([])
  expect(await changedSentences(before, '')).toEqual([])
})

test('a repeated sentence counts as new only as often as it was added', async () => {
  expect(await changedSentences(before, `${before} The lamp swung.`)).toEqual(['The lamp swung.'])
})

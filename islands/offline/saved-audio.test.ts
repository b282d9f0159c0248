import { expect, test } from 'bun:test'
import { readRange } from './saved-audio'

test.each([
  [null, 'all'],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=90-500', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=100-', null],
  ['bytes=-0', null],
  ['bytes=20-10', 'all'],
  ['bytes=0-1,5-6', 'all'],
  ['lines=0-1', 'all'],
  ['bytes=-', 'all'],
] as const)('the Range header %p on 100 bytes is read as %j', (header, expected) => {
  expect(readRange(header, 100)).toEqual(expected as never)
})

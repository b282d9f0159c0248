import { expect, test } from 'bun:test'
import { rangeOf } from './use-selection'

test('a range includes both ends in either direction, and is one row if its start is missing', () => {
  const ids = ['a', 'b', 'c', 'd']
  expect(rangeOf(ids, 'b', 'd')).toEqual(['b', 'c', 'd'])
  expect(rangeOf(ids, 'd', 'b')).toEqual(['b', 'c', 'd'])
  expect(rangeOf(ids, 'c', 'c')).toEqual(['c'])
  expect(rangeOf(ids, null, 'c')).toEqual(['c'])
  expect(rangeOf(ids, 'gone', 'c')).toEqual(['c'])
})

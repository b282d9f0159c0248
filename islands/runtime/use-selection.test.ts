import { expect, test } from 'bun:test'
import { rangeOf } from './use-selection'

test('a range has both ends, in either direction, and is one row where the other is not there', () => {
  const ids = ['a', 'b', 'c', 'd']
  expect(rangeOf(ids, 'b', 'd')).toEqual(['b', 'c', 'd'])
  expect(rangeOf(ids, 'd', 'b')).toEqual(['b', 'c', 'd'])
  expect(rangeOf(ids, 'c', 'c')).toEqual(['c'])
  expect(rangeOf(ids, null, 'c')).toEqual(['c'])
  expect(rangeOf(ids, 'gone', 'c')).toEqual(['c'])
})

import { expect, test } from 'bun:test'
import { shorten } from './shorten'

test('a shortened text never ends with half an emoji', () => {
  expect(shorten('ab🌙cd', 3)).toBe('ab')
  expect(shorten('ab🌙cd', 4)).toBe('ab🌙')
  expect(shorten('ab🌙', 80)).toBe('ab🌙')
})

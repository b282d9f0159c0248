import { expect, test } from 'bun:test'
import { fc } from '#src/testing/properties'
import { mergeField } from './stored-draft'

const merged = (stored: string, shown: string, isTyped: boolean) =>
  mergeField({ stored, shown, given: '', isTyped }, '\n\n')

test('a field that the browser left empty or filled from an earlier page gets the stored text', () => {
  expect(merged('The Orchard', '', false)).toBe('The Orchard')
  expect(merged('The Orchard', '', true)).toBe('The Orchard')
  expect(merged('The Orchard at Night', 'The Orchard', true)).toBe('The Orchard at Night')
  expect(merged('The Orchard', 'Halves', false)).toBe('The Orchard')
})

test('text that was typed before hydration is appended to the stored text', () => {
  expect(merged('The Orchard', 'Halves', true)).toBe('The Orchard\n\nHalves')
  expect(merged('The Orchard', 'The Orchard at Night', true)).toBe('The Orchard at Night')
  expect(merged('', 'Halves', true)).toBe('Halves')
})

test('the field always contains both the stored and the typed text', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (stored, shown) => {
      const both = merged(stored, shown, true)
      expect(both).toContain(stored)
      expect(both).toContain(shown)
    }),
  )
})

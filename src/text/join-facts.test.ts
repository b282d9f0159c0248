import { expect, test } from 'bun:test'
import { joinFacts } from './join-facts'

test('facts are joined by dots that do not break from the next fact, and empty ones are left out', () => {
  expect(joinFacts('Reading', null, false, '', undefined, '3 min left')).toBe(
    'Reading ·\u00a03\u00a0min left',
  )
  expect(joinFacts('Reading')).toBe('Reading')
})

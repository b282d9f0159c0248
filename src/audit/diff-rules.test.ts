import { expect, test } from 'bun:test'
import { diffStates } from './diff-rules'

test('lists only changed, added and removed fields', () => {
  expect(
    diffStates(
      { title: 'The Kite', duration: 15, tags: ['sea', 'two of them'] },
      { title: 'The Kite', duration: 12, voice: 'male' },
    ),
  ).toEqual([
    { field: 'duration', before: '15', after: '12' },
    { field: 'tags', before: 'sea, two of them', after: null },
    { field: 'voice', before: null, after: 'male' },
  ])
})

test('compares missing states and values that are not objects', () => {
  expect(diffStates(null, { isActive: true })).toEqual([{ field: 'isActive', before: null, after: 'true' }])
  expect(diffStates(null, null)).toEqual([])
  expect(diffStates('on', 'off')).toEqual([{ field: '', before: 'on', after: 'off' }])
})

import { expect, test } from 'bun:test'
import { isAskedBefore, notesOf } from './notes-before'

const trackWith = (meta: object) => ({
  id: 'pre_uploaded-flow-1',
  title: 'Ferry',
  voice: 'female',
  src: '',
  meta,
})
const track = trackWith({ contentNotes: ['a storm'] })

test('notes come before the first play, or every one, as was chosen', () => {
  expect(isAskedBefore({ track }, null, 'never', [])).toBe(false)
  expect(isAskedBefore({ track }, null, 'first', [])).toBe(true)
  expect(isAskedBefore({ track }, null, 'first', [track.id])).toBe(false)
  expect(isAskedBefore({ track }, null, 'always', [track.id])).toBe(true)
})

test('what plays already, what is queued and what has none goes on', () => {
  expect(isAskedBefore({ track }, track.id, 'always', [])).toBe(false)
  expect(isAskedBefore({ track, place: 'next' }, null, 'always', [])).toBe(false)
  expect(isAskedBefore({ track: trackWith({ contentNotes: [] }) }, null, 'always', [])).toBe(false)
})

test('what a page before this build has kept, or anything else, has no notes', () => {
  for (const meta of [{}, { contentNotes: 'a storm' }, { contentNotes: null }])
    expect(notesOf(trackWith(meta))).toEqual([])
  expect(notesOf(trackWith({ contentNotes: [1, 'a storm'] }))).toEqual(['a storm'])
})

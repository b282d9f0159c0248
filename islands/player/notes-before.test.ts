import { expect, test } from 'bun:test'
import { needsNotes, notesOf } from './notes-before'

const trackWith = (meta: object) => ({
  id: 'pre_uploaded-flow-1',
  title: 'Ferry',
  voice: 'female',
  src: '',
  meta,
})
const track = trackWith({ contentNotes: ['a storm'] })

test('notes come before the first play, or every one, as was chosen', () => {
  expect(needsNotes({ track }, null, 'never', [])).toBe(false)
  expect(needsNotes({ track }, null, 'first', [])).toBe(true)
  expect(needsNotes({ track }, null, 'first', [track.id])).toBe(false)
  expect(needsNotes({ track }, null, 'always', [track.id])).toBe(true)
})

test('playback goes on for an item that plays already, that is queued, or that has no notes', () => {
  expect(needsNotes({ track }, track.id, 'always', [])).toBe(false)
  expect(needsNotes({ track, place: 'next' }, null, 'always', [])).toBe(false)
  expect(needsNotes({ track: trackWith({ contentNotes: [] }) }, null, 'always', [])).toBe(false)
})

test('an item stored by a page of an earlier build, or anything else, has no notes', () => {
  for (const meta of [{}, { contentNotes: 'a storm' }, { contentNotes: null }])
    expect(notesOf(trackWith(meta))).toEqual([])
  expect(notesOf(trackWith({ contentNotes: [1, 'a storm'] }))).toEqual(['a storm'])
})

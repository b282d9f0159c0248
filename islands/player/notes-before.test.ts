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

test('content notes are shown before the first play, every play or never, as chosen', () => {
  expect(needsNotes({ track }, null, 'never', [])).toBe(false)
  expect(needsNotes({ track }, null, 'first', [])).toBe(true)
  expect(needsNotes({ track }, null, 'first', [track.id])).toBe(false)
  expect(needsNotes({ track }, null, 'always', [track.id])).toBe(true)
})

test('content notes are not shown for the loaded track, a queued one, or one without notes', () => {
  expect(needsNotes({ track }, track.id, 'always', [])).toBe(false)
  expect(needsNotes({ track, place: 'next' }, null, 'always', [])).toBe(false)
  expect(needsNotes({ track: trackWith({ contentNotes: [] }) }, null, 'always', [])).toBe(false)
})

test('a track with missing or malformed content notes has none', () => {
  for (const meta of [{}, { contentNotes: 'a storm' }, { contentNotes: null }])
    expect(notesOf(trackWith(meta))).toEqual([])
  expect(notesOf(trackWith({ contentNotes: [1, 'a storm'] }))).toEqual(['a storm'])
})

import { expect, test } from 'bun:test'
import { coverPath } from '#src/text/cover-seed'
import { mediaWordsOf } from './media-words'

test('the lock screen shows the title, the narrator and the cover', () => {
  const track = {
    id: 'pre_uploaded-story-a',
    title: 'The Night Ferry',
    voice: 'female',
    src: '/a',
    meta: { slug: 'the-night-ferry', narratorLine: 'Narrated by Rachel' },
  }
  expect(mediaWordsOf(track)).toEqual({
    title: 'The Night Ferry',
    artist: 'Narrated by Rachel',
    cover: coverPath('The Night Ferry'),
  })
  expect(mediaWordsOf({ ...track, id: 'sample', meta: {} }).artist).toBe('')
})

test('the lock screen shows only “Audio” and the length in discreet mode', () => {
  const track = {
    id: 'pre_uploaded-story-a',
    title: 'The Night Ferry',
    voice: 'female',
    src: '/a',
    meta: { durationSeconds: 764 },
  }
  expect(mediaWordsOf(track, 'discreet')).toEqual({ title: 'Audio, 12:44', artist: '', cover: null })
  expect(mediaWordsOf({ ...track, meta: {} }, 'discreet').title).toBe('Audio')
})

import { expect, test } from 'bun:test'
import { mediaWordsOf } from './media-words'

test('a lock screen shows the title, who speaks, and the cover', () => {
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
    cover: '/cover?title=The+Night+Ferry&v=1',
  })
  expect(mediaWordsOf({ ...track, id: 'sample', meta: {} }).artist).toBe('')
})

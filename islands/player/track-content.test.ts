import { expect, test } from 'bun:test'
import { contentOf } from './track-content'

const track = { title: 'Slow Train North', voice: 'male', src: '/a' }

test('a track’s id and data give the item that it narrates', () => {
  const id = '01a1fc03-5a82-7085-b3db-4b89e0d19a1f'
  const meta = {
    slug: 'slow-train-north',
    narratorLine: 'Narrated by Josh',
    hasAudio: true,
    isFree: true,
    durationSeconds: 90,
  }
  expect(contentOf({ ...track, id: `pre_uploaded-story-${id}`, meta })).toEqual({
    contentId: id,
    contentType: 'story',
    contentKey: `pre_uploaded:story:${id}`,
    href: '/story/slow-train-north',
    narratorLine: 'Narrated by Josh',
    hasAudio: true,
    isFree: true,
    isGenerating: false,
    durationSeconds: 90,
  })
})

test('a track without data is assumed to be free and to have audio', () => {
  expect(contentOf({ ...track, id: 'user_generated-flow-7', meta: {} })).toMatchObject({
    contentKey: 'user_generated:flow:7',
    narratorLine: null,
    hasAudio: true,
    isFree: true,
    isGenerating: false,
    durationSeconds: 0,
  })
})

test('a track id of another format has no item', () => {
  expect(contentOf({ ...track, id: 'preview', meta: {} })).toBeNull()
  expect(contentOf({ ...track, id: 'pre_uploaded-page-7', meta: {} })).toBeNull()
})

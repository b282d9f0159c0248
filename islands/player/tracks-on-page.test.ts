import { afterAll, expect, test } from 'bun:test'
import { tracksAfter } from './tracks-on-page'

// Other test files in the same run expect the globals of a server.
afterAll(() => void Reflect.deleteProperty(globalThis, 'document'))

const track = (id: string, hasAudio = true) =>
  ({ id, title: id, voice: 'female', src: `/${id}`, meta: { hasAudio } }) as const

test('only tracks with audio that come after the played one on the page follow it', () => {
  const props = [
    { track: track('a') },
    { track: track('b') },
    null,
    { track: track('c', false) },
    { track: track('d') },
  ]
  const querySelectorAll = () => props.map((each) => ({ textContent: each && JSON.stringify(each) }))
  Object.assign(globalThis, { document: { querySelectorAll } })
  expect(tracksAfter(track('b')).map(({ id }) => id)).toEqual(['d'])
  expect(tracksAfter(track('elsewhere'))).toEqual([])
})

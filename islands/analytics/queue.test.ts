import { describe, expect, test } from 'bun:test'
import { fc } from '#src/testing/properties'
import { decideConsent } from './consent'
import { listTransitions, readIdentity } from './identity'
import {
  add,
  clockOffsetMs,
  readWaiting,
  retryDelayMs,
  stamp,
  type Waiting,
  waitingMax,
  without,
} from './queue'

const event = (id: string): Waiting => ({ id, eventType: 'page_view', atMs: 1_000, deltaMs: 0, page: '/' })

describe('analytics queue', () => {
  test('stores only the newest events, however long the browser is offline', () => {
    const many = Array.from({ length: waitingMax + 3 }, (_, n) => event(String(n)))
    const queued = add([], many)
    expect(queued).toHaveLength(waitingMax)
    expect(queued[0]?.id).toBe('3')
  })

  test('sends an event with the same timestamp at every retry', () => {
    const first = stamp([event('a'), event('b')], 1, 60_000)
    expect(first.map(({ timestamp }) => timestamp)).toEqual(['1970-01-01T00:01:01.000Z', undefined])
    expect(stamp(first, 2, 0)[0]?.timestamp).toBe('1970-01-01T00:01:01.000Z')
  })

  test('removes sent events and keeps those added meanwhile', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.uniqueArray(fc.string()), (ids, more) => {
        const batch = ids.map(event)
        const left = without([...batch, ...more.map((id) => event(`new ${id}`))], batch)
        expect(left.map(({ id }) => id)).toEqual(more.map((id) => `new ${id}`))
      }),
    )
  })

  test('retries server errors after 2, 4 and 8 seconds, then gives up', () => {
    expect([1, 2, 3, 4].map(retryDelayMs)).toEqual([2_000, 4_000, 8_000, null])
  })

  test('corrects a clock that is off by hours, and ignores an offset of a minute', () => {
    expect(clockOffsetMs('Thu, 01 Jan 1970 02:00:00 GMT', 0)).toBe(7_200_000)
    expect(clockOffsetMs('Thu, 01 Jan 1970 00:01:00 GMT', 0)).toBe(0)
    expect(clockOffsetMs(null, 0)).toBe(0)
    expect(clockOffsetMs('nonsense', 0)).toBe(0)
  })

  test('reads unparseable or invalid stored events as an empty queue', () => {
    for (const text of [null, '', '{', '7', '[1, null, {}]']) expect(readWaiting(text)).toEqual([])
    expect(readWaiting(JSON.stringify([event('a')]))).toHaveLength(1)
  })
})

test('consent is granted by default, and undecided where the site asks for it', () => {
  expect(decideConsent(null, { isAsked: false })).toBe(true)
  expect(decideConsent(null, { isAsked: true })).toBe(null)
  for (const isAsked of [true, false]) {
    expect(decideConsent('true', { isAsked })).toBe(true)
    expect(decideConsent('false', { isAsked })).toBe(false)
  }
  expect(decideConsent('perhaps', { isAsked: true })).toBe(null)
})

test('the user is identified once, and reset when a member signs out or another signs in', () => {
  const anonymous = { event: 'identify', userId: null, isAnonymous: true } as const
  const ana = { event: 'identify', userId: 'ana', isAnonymous: false } as const
  expect(listTransitions(null, { userId: null })).toEqual([anonymous])
  expect(listTransitions({ userId: null }, { userId: null })).toEqual([])
  expect(listTransitions({ userId: null }, { userId: 'ana' })).toEqual([ana])
  expect(listTransitions({ userId: 'ana' }, { userId: 'ana' })).toEqual([])
  expect(listTransitions({ userId: 'ana' }, { userId: null })).toEqual([{ event: 'reset' }, anonymous])
  expect(listTransitions({ userId: 'ben' }, { userId: 'ana' })).toEqual([{ event: 'reset' }, ana])
  expect([null, '', 'ana'].map(readIdentity)).toEqual([null, { userId: null }, { userId: 'ana' }])
})

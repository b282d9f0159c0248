import { describe, expect, test } from 'bun:test'
import { queueAskedMax } from '#src/listening/rules'
import type { Track } from '#src/story/track-rules'
import {
  addLast,
  addNext,
  applyServerList,
  beginTrack,
  emptyQueue,
  listAsked,
  moveEntry,
  type Queue,
  removeEntry,
  stepBack,
} from './queue'

const track = (id: string): Track => ({ id, title: id, voice: 'female', src: `/${id}`, meta: {} })
const names = ({ entries }: Queue) =>
  entries.map(({ track: { id }, isChosen }) => (isChosen ? id.toUpperCase() : id)).join(' ')
const playing = (around: string) => beginTrack(emptyQueue, null, track('x'), [...around].map(track))

describe('play queue', () => {
  test('contains the other items of the list, each once', () => {
    expect(names(playing('abc'))).toBe('a b c')
    expect(names(playing('axbb'))).toBe('a b')
  })

  test('puts items added by hand before those of the list', () => {
    const queue = addLast(addLast(playing('ab'), track('c')), track('d'))
    expect(names(queue)).toBe('C D a b')
    expect(names(addNext(queue, track('b')))).toBe('B C D a')
    expect(names(addLast(queue, track('c')))).toBe('D C a b')
  })

  test('keeps items added by hand when another list is played', () => {
    const queue = addLast(playing('ab'), track('c'))
    const next = beginTrack(queue, track('x'), track('m'), [track('n'), track('c')])
    expect(names(next)).toBe('C n')
    expect(next.played.map(({ id }) => id)).toEqual(['x'])
  })

  test('continues after an item that is played from it', () => {
    const next = beginTrack(playing('abc'), track('x'), track('b'), null)
    expect(names(next)).toBe('c')
  })

  test('steps back to the previous item, and puts the current one back in front', () => {
    const next = beginTrack(playing('abc'), track('x'), track('a'), null)
    const back = stepBack(next, track('a'))
    expect(names(back)).toBe('A b c')
    expect(back.played).toEqual([])
  })

  test('moves items by one place within its ends, and removes them', () => {
    expect(names(moveEntry(playing('abc'), 'c', -1))).toBe('A C b')
    expect(names(moveEntry(playing('abc'), 'a', 1))).toBe('B A c')
    expect(names(moveEntry(playing('abc'), 'a', -1))).toBe('a b c')
    expect(names(moveEntry(playing('abc'), 'z', 1))).toBe('a b c')
    expect(names(removeEntry(playing('abc'), 'b'))).toBe('a c')
  })

  test('drops items that the server leaves out and appends those that it adds', () => {
    const queue = addLast(playing('ab'), track('c'))
    expect(names(applyServerList(queue, new Set('abc'), ['c', 'b', 'n'].map(track)))).toBe('C b n')
  })

  test('does not take back what was removed while the server was asked', () => {
    const answer = ['a', 'b', 'n'].map(track)
    expect(names(applyServerList(removeEntry(playing('ab'), 'b'), new Set('ab'), answer))).toBe('a n')
    expect(names(applyServerList(emptyQueue, new Set('ab'), answer))).toBe('')
    expect(names(applyServerList(addLast(emptyQueue, track('c')), new Set('ab'), answer))).toBe('C')
    expect(names(applyServerList(emptyQueue, new Set(), answer))).toBe('a b n')
  })

  test('is not truncated by a server response about its first items', () => {
    const many = Array.from({ length: 80 }, (_, at) => track(`t${at}`))
    let queue = beginTrack(emptyQueue, null, track('x'), many)
    for (const { id } of many) queue = addLast(queue, track(`c${id}`))
    expect(queue.entries).toHaveLength(160)
    const asked = [...listAsked(queue, 'chosen'), ...listAsked(queue, 'around')]
    expect(asked).toHaveLength(2 * queueAskedMax)
    const [gone, ...mayFollow] = asked
    const after = applyServerList(queue, new Set(asked.map(({ id }) => id)), mayFollow)
    expect(after.entries).toEqual(queue.entries.filter(({ track: { id } }) => id !== gone?.id))
  })
})

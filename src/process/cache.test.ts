import { expect, test } from 'bun:test'
import { rejectionOf } from '#src/testing/rejection'
import { cacheLargeCounts, staleWhileRevalidate } from './cache'

/** A loader whose calls the test releases. It counts concurrent calls. */
function slowSource() {
  const waiting: (() => void)[] = []
  let loads = 0
  return {
    waiting,
    asked: () => loads,
    async fetch(): Promise<number> {
      loads += 1
      const answer = loads
      const released = Promise.withResolvers<void>()
      waiting.push(released.resolve)
      await released.promise
      return answer
    },
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('concurrent reads of a key share one load', async () => {
  const source = slowSource()
  const read = staleWhileRevalidate<number>({ freshMs: 60_000, entriesMax: 10 })
  const answers = [read('a', source.fetch), read('a', source.fetch), read('a', source.fetch)]
  source.waiting.shift()?.()
  expect(await Promise.all(answers)).toEqual([1, 1, 1])
})

test('a stale value is returned at once and reloaded one key at a time', async () => {
  const source = slowSource()
  let now = 1
  const read = staleWhileRevalidate<number>({ freshMs: 1_000, entriesMax: 10, now: () => now })
  const keys = ['a', 'b', 'c']
  for (const key of keys) {
    const first = read(key, source.fetch)
    source.waiting.shift()?.()
    await first
  }
  now += 1_100
  expect(await Promise.all(keys.map((key) => read(key, source.fetch)))).toEqual([1, 2, 3])
  await turn()
  expect(source.asked()).toBe(4)
  for (const asked of [4, 5, 6]) {
    expect(source.asked()).toBe(asked)
    source.waiting.shift()?.()
    await turn()
  }
  expect(await Promise.all(keys.map((key) => read(key, source.fetch)))).toEqual([4, 5, 6])
})

test('a failed load is thrown and not cached', async () => {
  const read = staleWhileRevalidate<number>({ freshMs: 60_000, entriesMax: 10 })
  expect((await rejectionOf(read('a', () => Promise.reject(new Error('down'))))).message).toContain('down')
  expect(await read('a', async () => 7)).toBe(7)
})

test('a stale value is returned while reloading fails, until it expires', async () => {
  let now = 1
  const read = staleWhileRevalidate<number>({ freshMs: 1_000, entriesMax: 10, now: () => now })
  const fail = () => Promise.reject(new Error('down'))
  expect(await read('a', async () => 1)).toBe(1)
  now += 5_000
  expect(await read('a', fail)).toBe(1)
  await turn()
  expect(await read('a', fail)).toBe(1)
  await turn()
  now += 6_000
  expect((await rejectionOf(read('a', fail))).message).toContain('down')
  expect(await read('a', async () => 2)).toBe(2)
})

test('preload loads a value before the first read, and again only at its maximum age', async () => {
  let now = 1
  let loads = 0
  const load = async () => ++loads
  const read = staleWhileRevalidate<number>({ freshMs: 1_000, entriesMax: 10, now: () => now })
  await read.preload('a', 3_000, load)
  now += 2_000
  await read.preload('a', 3_000, load)
  expect(loads).toBe(1)
  now += 1_000
  await read.preload('a', 3_000, load)
  expect(await read('a', load)).toBe(2)
  expect(loads).toBe(2)
})

test('a failed load that nobody awaits causes no unhandled rejection', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', note)
  const find = staleWhileRevalidate<number>({ freshMs: 1_000, entriesMax: 10 })
  void find('key', () => Promise.reject(new Error('away')))
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

test('cacheLargeCounts caches counts above the limit for their time and recounts smaller ones', async () => {
  let now = 1
  let loads = 0
  const read = cacheLargeCounts({ countMax: 10, freshMs: 1_000, entriesMax: 5, now: () => now })
  const load = (count: number) => async () => {
    loads += 1
    return count
  }
  for (const _ of [1, 2]) expect(await read('few', load(10))).toBe(10)
  expect(loads).toBe(2)
  for (const _ of [1, 2, 3]) {
    expect(await read('many', load(11))).toBe(11)
    now += 400
  }
  expect(loads).toBe(3)
  expect(await read('many', load(9))).toBe(9)
})

test('a reloaded value equal to the cached one keeps the cached object', async () => {
  let now = 1
  const read = staleWhileRevalidate<string[]>({
    ...{ freshMs: 1_000, entriesMax: 10, now: () => now },
    isSame: Bun.deepEquals,
  })
  const first = await read('a', async () => ['Ferry'])
  for (const [answer, given] of [
    [['Ferry'], first],
    [
      ['Ferry', 'Salt'],
      ['Ferry', 'Salt'],
    ],
  ] as const) {
    now += 1_100
    expect(await read('a', async () => [...answer])).toBe(first)
    await turn()
    expect(await read('a', async () => [])).toEqual([...given])
  }
})

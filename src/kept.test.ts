import { expect, test } from 'bun:test'
import { keepForAWhile } from './kept'

/** Answers when told to, and keeps count of what runs at once. */
function slowSource() {
  const waiting: (() => void)[] = []
  let asked = 0
  return {
    waiting,
    asked: () => asked,
    async fetch(): Promise<number> {
      asked += 1
      const answer = asked
      const told = Promise.withResolvers<void>()
      waiting.push(told.resolve)
      await told.promise
      return answer
    },
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('many who ask at once share one answer', async () => {
  const source = slowSource()
  const ask = keepForAWhile<number>(60_000, 10)
  const answers = [ask('a', source.fetch), ask('a', source.fetch), ask('a', source.fetch)]
  source.waiting.shift()?.()
  expect(await Promise.all(answers)).toEqual([1, 1, 1])
})

test('what is old is given at once, and renewed one key at a time', async () => {
  const source = slowSource()
  const ask = keepForAWhile<number>(1_000, 10)
  const keys = ['a', 'b', 'c']
  for (const key of keys) {
    const first = ask(key, source.fetch)
    source.waiting.shift()?.()
    await first
  }
  await Bun.sleep(1_100)
  expect(await Promise.all(keys.map((key) => ask(key, source.fetch)))).toEqual([1, 2, 3])
  await turn()
  expect(source.asked()).toBe(4)
  for (const asked of [4, 5, 6]) {
    expect(source.asked()).toBe(asked)
    source.waiting.shift()?.()
    await turn()
  }
  expect(await Promise.all(keys.map((key) => ask(key, source.fetch)))).toEqual([4, 5, 6])
})

test('a failure is told, and asked for again', async () => {
  const ask = keepForAWhile<number>(60_000, 10)
  await expect(ask('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(await ask('a', async () => 7)).toBe(7)
})

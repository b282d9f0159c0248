import { afterEach, expect, jest, test } from 'bun:test'
import { createSaveQueues, unansweredMs } from '#islands/runtime/save-queues'
import { rejectionOf } from '#src/testing/rejection'

afterEach(() => jest.useRealTimers())

test('a change without an answer is aborted after a timeout, and the next one is sent', async () => {
  jest.useFakeTimers()
  const save = createSaveQueues<string>()
  const shown: (string | null)[] = []
  const change = (send: (signal: AbortSignal) => Promise<string>) =>
    save('theme', { before: 'dark', show: (saved) => shown.push(saved), send })
  const unanswered = change(
    (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  const next = change(async () => 'paper')
  await Promise.resolve()
  jest.advanceTimersByTime(unansweredMs)
  expect(await unanswered).toBeNull()
  expect(await next).toBe('paper')
  expect(shown).toEqual(['paper'])
})

test('only the last of several failed changes rejects', async () => {
  const save = createSaveQueues<string>()
  const change = (word: string) =>
    save('theme', { before: 'dark', show: () => {}, send: () => Promise.reject(new Error(word)) })
  const [first, last] = [change('first'), rejectionOf(change('last'))]
  expect(await first).toBeNull()
  expect(await last).toHaveProperty('message', 'last')
})

import { afterEach, expect, jest, test } from 'bun:test'
import { createSaveQueues, unansweredMs } from '#islands/runtime/save-queues'

afterEach(() => jest.useRealTimers())

test('a change that is never answered is given up, and the next one is sent', async () => {
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
  ).catch((error) => error.name)
  const next = change(async () => 'paper')
  await Promise.resolve()
  jest.advanceTimersByTime(unansweredMs)
  expect(await unanswered).toBe('AbortError')
  expect(await next).toBe('paper')
  expect(shown).toEqual(['paper'])
})

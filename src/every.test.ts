import { expect, test } from 'bun:test'
import { every } from './every'
import { createLog } from './log'

const quiet = createLog('error', () => {})
const often = { seconds: 0.005, first: 'now', failure: 'it failed', log: quiet } as const

/** Work that ends when it is told to, and counts how often it began. */
function slowWork() {
  let begun = 0
  let next = Promise.withResolvers<void>()
  let hasBegun = Promise.withResolvers<void>()
  return {
    begun: () => begun,
    /** Resolves when it begins, or has. */
    begins: () => hasBegun.promise,
    end(how: 'well' | 'badly') {
      const ending = next
      next = Promise.withResolvers()
      hasBegun = Promise.withResolvers()
      if (how === 'well') ending.resolve()
      else ending.reject(new Error('no'))
    },
    work() {
      begun += 1
      hasBegun.resolve()
      return next.promise
    },
  }
}

test('it begins at once or later, and again and again', async () => {
  for (const first of ['now', 'later'] as const) {
    const slow = slowWork()
    const repeated = every({ ...often, first }, slow.work)
    expect(slow.begun()).toBe(first === 'now' ? 1 : 0)
    for (let times = 1; times <= 3; times += 1) {
      await slow.begins()
      expect(slow.begun()).toBe(times)
      slow.end('well')
    }
    await slow.begins()
    slow.end('well')
    await repeated.stop()
  }
})

test('what takes longer than its interval is not begun a second time', async () => {
  const slow = slowWork()
  const repeated = every(often, slow.work)
  // Many intervals go by.
  let intervals = 0
  const other = every(often, async () => {
    intervals += 1
  })
  while (intervals < 10) await Bun.sleep(1)
  expect(slow.begun()).toBe(1)
  slow.end('well')
  await Promise.all([repeated.stop(), other.stop()])
})

test('stop waits for what is under way, and nothing begins after it', async () => {
  const slow = slowWork()
  const repeated = every(often, slow.work)
  let isStopped = false
  const stopped = repeated.stop().then(() => {
    isStopped = true
  })
  await Bun.sleep(20)
  expect(isStopped).toBe(false)
  slow.end('well')
  await stopped
  await Bun.sleep(20)
  expect(slow.begun()).toBe(1)
})

test('a failure is logged once until it works again, and ends nothing', async () => {
  const lines: string[] = []
  const log = createLog('warn', (line) => void lines.push(line))
  const slow = slowWork()
  const repeated = every({ ...often, log }, slow.work)
  for (const how of ['badly', 'badly', 'well', 'badly', 'well'] as const) {
    await slow.begins()
    slow.end(how)
  }
  await slow.begins()
  slow.end('well')
  await repeated.stop()
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(['it failed', 'it failed'])
})

test('work that throws before it promises anything is a failure like others', async () => {
  let times = 0
  const repeated = every(often, () => {
    times += 1
    throw new Error('no')
  })
  while (times < 3) await Bun.sleep(1)
  await repeated.stop()
})

import { expect, test } from 'bun:test'
import { until } from '#src/testing/until'
import { createLog } from './log'
import { runEvery } from './run-every'

const quiet = createLog('error', () => {})
const often = { seconds: 0.005, first: 'now', failure: 'it failed', log: quiet } as const

/** Work that ends when the test releases it. It counts its runs. */
function slowWork() {
  let begun = 0
  let next = Promise.withResolvers<void>()
  let hasBegun = Promise.withResolvers<void>()
  return {
    begun: () => begun,
    /** Resolves when the work has begun. */
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

test('runEvery starts at once or after an interval, then repeats', async () => {
  for (const first of ['now', 'later'] as const) {
    const slow = slowWork()
    const repeated = runEvery({ ...often, first }, slow.work)
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

async function manyIntervals(): Promise<void> {
  let intervals = 0
  const repeated = runEvery(often, async () => {
    intervals += 1
  })
  await until(() => intervals >= 10)
  await repeated.stop()
}

test('a run longer than the interval is not started a second time', async () => {
  const slow = slowWork()
  const repeated = runEvery(often, slow.work)
  await manyIntervals()
  expect(slow.begun()).toBe(1)
  slow.end('well')
  await repeated.stop()
})

test('stop waits for the current run and prevents further ones', async () => {
  const slow = slowWork()
  const repeated = runEvery(often, slow.work)
  let isStopped = false
  const stopped = repeated.stop().then(() => {
    isStopped = true
  })
  await manyIntervals()
  expect(isStopped).toBe(false)
  slow.end('well')
  await stopped
  await manyIntervals()
  expect(slow.begun()).toBe(1)
})

test('failures are logged once until a run succeeds, and do not end the schedule', async () => {
  const lines: string[] = []
  const log = createLog('warn', (line) => void lines.push(line))
  const slow = slowWork()
  const repeated = runEvery({ ...often, log }, slow.work)
  for (const how of ['badly', 'badly', 'well', 'badly', 'well'] as const) {
    await slow.begins()
    slow.end(how)
  }
  await slow.begins()
  slow.end('well')
  await repeated.stop()
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(['it failed', 'it failed'])
})

test('work that throws synchronously does not end the schedule', async () => {
  let times = 0
  const repeated = runEvery(often, () => {
    times += 1
    throw new Error('no')
  })
  await until(() => times >= 3)
  await repeated.stop()
})

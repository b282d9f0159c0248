import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { testDatabase } from '#db/testing'
import { AppError } from '#src/app-error'
import {
  consumeRateLimit,
  countUsed,
  type Limit,
  listCounted,
  pruneRateLimits,
  rateLimitGuess,
  refundRateLimit,
  tryConsumeRateLimit,
} from '#src/security/rate-limit'
import { rejectionOf } from '#src/testing/rejection'

const db = await testDatabase()
let keys = 0
/** A limit per day, since no test runs past the end of a day, except at midnight, which is waited for. */
function limitOf(max: number, windowSeconds = 86_400): Limit {
  keys += 1
  return { key: `test:${keys}`, max, windowSeconds, message: 'Too many tries.' }
}

const refusalOf = async (work: Promise<unknown>): Promise<AppError | null> => {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

// Windows begin at whole multiples of their length. The tests need enough of this day to be left.
const secondsLeft = 86_400 - ((Date.now() / 1_000) % 86_400)
if (secondsLeft < 20) await Bun.sleep(secondsLeft * 1_000)

test('a rate limit allows its maximum, then refuses with the seconds to wait', async () => {
  const limit = limitOf(3)
  for (let attempt = 0; attempt < 3; attempt += 1) await consumeRateLimit(db, [limit])
  const refusal = await refusalOf(consumeRateLimit(db, [limit]))
  expect(refusal).toMatchObject({ code: 'throttled', message: 'Too many tries.' })
  expect(refusal?.retryAfterSeconds).toBeWithin(1, 86_401)
})

test('a limit of 10 allows exactly 10 of 100 concurrent attempts', async () => {
  const limit = limitOf(10)
  const attempts = await Promise.all(
    Array.from({ length: 100 }, () => refusalOf(consumeRateLimit(db, [limit]))),
  )
  expect(attempts.filter((refusal) => refusal === null)).toHaveLength(10)
})

test('an attempt that another limit refuses does not restart a delay', async () => {
  const [account, address] = [{ ...limitOf(1), delaySecondsMax: 60 }, limitOf(1)]
  await consumeRateLimit(db, [account, address])
  await db.execute(
    sql`update throttles set taken_at = now() - interval '1 minute' where key = ${account.key}`,
  )
  expect(await refusalOf(consumeRateLimit(db, [account, address]))).not.toBeNull()
  expect(await refusalOf(consumeRateLimit(db, [account]))).toBeNull()
})

test('each limit has its own count, and the first exhausted one refuses', async () => {
  const [narrow, wide] = [limitOf(1), limitOf(5)]
  await consumeRateLimit(db, [narrow, wide])
  expect(await refusalOf(consumeRateLimit(db, [narrow, wide]))).not.toBeNull()
  for (let attempt = 0; attempt < 4; attempt += 1) await consumeRateLimit(db, [wide])
  expect(await refusalOf(consumeRateLimit(db, [wide]))).not.toBeNull()
})

test('the count starts again in the next window', async () => {
  const limit = limitOf(1)
  await consumeRateLimit(db, [limit])
  await db.execute(
    sql`update throttles set window_start = window_start - interval '1 day' where key = ${limit.key}`,
  )
  expect(await refusalOf(consumeRateLimit(db, [limit]))).toBeNull()
})

test('an attempt that one limit refuses is counted by none of them', async () => {
  const [wide, narrow] = [limitOf(5), limitOf(1)]
  await consumeRateLimit(db, [wide, narrow])
  for (let time = 0; time < 10; time += 1)
    expect(await refusalOf(consumeRateLimit(db, [wide, narrow]))).not.toBeNull()
  expect(await countUsed(db, wide)).toBe(1)
  expect(await countUsed(db, narrow)).toBe(1)
})

test('a limit of 0 refuses every attempt, with the seconds left in its window', async () => {
  const limit = limitOf(0)
  for (const _ of [1, 2])
    expect((await refusalOf(consumeRateLimit(db, [limit])))?.retryAfterSeconds).toBeWithin(1, 86_401)
})

test('tryConsumeRateLimit returns whether an attempt is allowed, and counts it', async () => {
  const limit = limitOf(2)
  const answers = [
    await tryConsumeRateLimit(db, limit),
    await tryConsumeRateLimit(db, limit),
    await tryConsumeRateLimit(db, limit),
  ]
  expect(answers).toEqual([true, true, false])
  expect(await listCounted(db, limit.key.slice(0, -1))).toContain(limit.key.slice(-1))
})

describe('rate limit with a growing delay', () => {
  const delayed = (max: number): Limit => ({ ...limitOf(max), delaySecondsMax: 60 })
  const letPass = (executor: Executor, limit: Limit, seconds: number) =>
    executor.execute(
      sql`update throttles set taken_at = taken_at - make_interval(secs => ${seconds}) where key = ${limit.key}`,
    )

  test('doubles the wait after each accepted attempt, up to its maximum', async () => {
    const limit = delayed(10)
    const waits: number[] = []
    // now() is constant within a transaction, however slow the machine is.
    await db.transaction(async (tx) => {
      for (let time = 0; time < 10; time += 1) await consumeRateLimit(tx, [limit])
      for (let time = 0; time < 70; time += 1) {
        const wait = (await refusalOf(consumeRateLimit(tx, [limit])))?.retryAfterSeconds ?? 0
        waits.push(wait)
        await letPass(tx, limit, wait - 1)
        expect(await refusalOf(consumeRateLimit(tx, [limit]))).not.toBeNull()
        await letPass(tx, limit, 1)
        await consumeRateLimit(tx, [limit])
      }
    })
    expect(waits).toEqual([2, 4, 8, 16, 32, ...Array(65).fill(60)])
  })

  test('accepts one of 100 concurrent attempts', async () => {
    const limit = delayed(1)
    await consumeRateLimit(db, [limit])
    await letPass(db, limit, 60)
    const attempts = await Promise.all(
      Array.from({ length: 100 }, () => refusalOf(consumeRateLimit(db, [limit]))),
    )
    expect(attempts.filter((refusal) => refusal === null)).toHaveLength(1)
  })
})

test('right guesses count only against a limit with countsRight', async () => {
  const [guesses, work] = [limitOf(1), { ...limitOf(4), countsRight: true } as const]
  const answer = () => rateLimitGuess(db, [guesses, work], async () => 'in')
  for (let time = 0; time < 4; time += 1) expect(await answer()).toBe('in')
  expect(await refusalOf(answer())).toMatchObject({ code: 'throttled' })
  expect([await countUsed(db, guesses), await countUsed(db, work)]).toEqual([0, 4])
})

describe('refunded attempts', () => {
  test('never take the count below zero', async () => {
    const limit = limitOf(2)
    for (let time = 0; time < 5; time += 1) await refundRateLimit(db, await consumeRateLimit(db, [limit]))
    const counted = await consumeRateLimit(db, [limit])
    for (let time = 0; time < 3; time += 1) await refundRateLimit(db, counted)
    await consumeRateLimit(db, [limit])
    await consumeRateLimit(db, [limit])
    expect(await refusalOf(consumeRateLimit(db, [limit]))).not.toBeNull()
  })

  test('are subtracted only from the window that counted them', async () => {
    const limit = limitOf(5)
    const counted = await consumeRateLimit(db, [limit])
    await db.execute(
      sql`update throttles set window_start = window_start - interval '1 day' where key = ${limit.key}`,
    )
    await consumeRateLimit(db, [limit])
    await refundRateLimit(
      db,
      counted.map((each) => ({ ...each, windowStart: each.windowStart - 86_400 })),
    )
    expect(await countUsed(db, limit)).toBe(1)
  })

  test('include right and unverified guesses, but not wrong ones', async () => {
    const limit = limitOf(3)
    for (let time = 0; time < 9; time += 1)
      expect(await rateLimitGuess(db, [limit], async () => 'in')).toBe('in')
    const failing = (error: Error) =>
      rateLimitGuess(db, [limit], async () => {
        throw error
      })
    for (const code of ['suspended', 'unavailable'] as const)
      for (let time = 0; time < 4; time += 1)
        expect(await rejectionOf(failing(new AppError(code, 'No.')))).toMatchObject({ code })
    expect(await countUsed(db, limit)).toBe(0)
    expect((await rejectionOf(failing(new AppError('wrong_credentials', 'No.')))).message).toContain('No.')
    expect((await rejectionOf(failing(new AppError('invalid', 'No.')))).message).toContain('No.')
    expect((await rejectionOf(failing(new Error('A bug.')))).message).toContain('A bug.')
    expect(await rejectionOf(failing(new Error('A bug.')))).toMatchObject({ code: 'throttled' })
  })
})

test('pruning removes ended windows and keeps current ones', async () => {
  const [over, lasting] = [limitOf(1), limitOf(1)]
  await consumeRateLimit(db, [over, lasting])
  await db.execute(sql`update throttles set expires_at = now() - interval '1 second' where key = ${over.key}`)
  await pruneRateLimits(db)
  const rows = await db.execute<{ key: string }>(
    sql`select key from throttles where key in (${over.key}, ${lasting.key})`,
  )
  expect(rows.map(({ key }) => key)).toEqual([lasting.key])
})

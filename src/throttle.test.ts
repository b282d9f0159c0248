import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testDatabase } from '#db/testing'
import { Refusal } from '#src/refusal'
import { countAttempt, forgetAttempts, type Limit, pruneThrottles, requireAttemptsLeft } from '#src/throttle'

const db = await testDatabase()
let keys = 0
/** Of a day: no test runs over the edge of one, but at midnight, which is waited for. */
function limitOf(max: number, windowSeconds = 86_400): Limit {
  keys += 1
  return { key: `test:${keys}`, max, windowSeconds, message: 'Too many tries.' }
}

const refusalOf = async (work: Promise<void>): Promise<Refusal | null> => {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

// Windows begin at whole multiples of their length: what is left of this day has to be enough.
const secondsLeft = 86_400 - ((Date.now() / 1_000) % 86_400)
if (secondsLeft < 20) await Bun.sleep(secondsLeft * 1_000)

test('as many attempts as the limit says pass, the next says when to try again', async () => {
  const limit = limitOf(3)
  for (let attempt = 0; attempt < 3; attempt += 1) await countAttempt(db, [limit])
  const refusal = await refusalOf(countAttempt(db, [limit]))
  expect(refusal).toMatchObject({ code: 'throttled', message: 'Too many tries.' })
  expect(refusal?.retryAfterSeconds).toBeWithin(1, 86_401)
})

test('of many at once exactly as many pass', async () => {
  const limit = limitOf(10)
  const attempts = await Promise.all(Array.from({ length: 100 }, () => refusalOf(countAttempt(db, [limit]))))
  expect(attempts.filter((refusal) => refusal === null)).toHaveLength(10)
})

test('every key has its own count, and the first that is used up decides', async () => {
  const [narrow, wide] = [limitOf(1), limitOf(5)]
  await countAttempt(db, [narrow, wide])
  expect(await refusalOf(countAttempt(db, [narrow, wide]))).not.toBeNull()
  for (let attempt = 0; attempt < 4; attempt += 1) await countAttempt(db, [wide])
  expect(await refusalOf(countAttempt(db, [wide]))).not.toBeNull()
})

test('with the next window the count begins again', async () => {
  const limit = limitOf(1)
  await countAttempt(db, [limit])
  await db.execute(
    sql`update throttles set window_start = window_start - interval '1 day' where key = ${limit.key}`,
  )
  expect(await refusalOf(countAttempt(db, [limit]))).toBeNull()
})

describe('attempts that were no guesses', () => {
  test('are taken back, and never below nothing', async () => {
    const limit = limitOf(2)
    for (let time = 0; time < 5; time += 1) {
      await countAttempt(db, [limit])
      await forgetAttempts(db, [limit])
    }
    await forgetAttempts(db, [limit])
    await countAttempt(db, [limit])
    await countAttempt(db, [limit])
    expect(await refusalOf(countAttempt(db, [limit]))).not.toBeNull()
  })

  test('are held back where the limit is used up, and count for nothing where it is not', async () => {
    const limit = limitOf(2)
    for (let time = 0; time < 10; time += 1) await requireAttemptsLeft(db, [limit])
    await countAttempt(db, [limit])
    await requireAttemptsLeft(db, [limit])
    await countAttempt(db, [limit])
    const refusal = await refusalOf(requireAttemptsLeft(db, [limit]))
    expect(refusal).toMatchObject({ code: 'throttled' })
    expect(refusal?.retryAfterSeconds).toBeWithin(1, 86_401)
    await db.execute(
      sql`update throttles set window_start = window_start - interval '1 day' where key = ${limit.key}`,
    )
    expect(await refusalOf(requireAttemptsLeft(db, [limit]))).toBeNull()
  })
})

test('windows that are over are removed, those that last are kept', async () => {
  const [over, lasting] = [limitOf(1), limitOf(1)]
  await countAttempt(db, [over, lasting])
  await db.execute(sql`update throttles set expires_at = now() - interval '1 second' where key = ${over.key}`)
  await pruneThrottles(db)
  const rows = await db.execute<{ key: string }>(
    sql`select key from throttles where key in (${over.key}, ${lasting.key})`,
  )
  expect(rows.map(({ key }) => key)).toEqual([lasting.key])
})

import { afterAll, describe, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { type Database, openDatabase } from '#db/db'
import { lock } from '#db/locks'
import { testDatabaseUrl } from '#db/testing'
import { createLog } from '#src/process/log'
import { rejectionOf } from '#src/testing/rejection'
import { listTrending } from './list'
import { forgetRankings } from './ranking-cache'
import { refreshIfSmall, refreshRankings, startRanking } from './refresh'
import { atOnceMax, meanRatingStep, type Timeframe, timeframes } from './rules'
import { findStats } from './stats'

/** A library whose items were each viewed once today. */
async function libraryOf(items: number): Promise<{ db: Database; openAgain(): Database }> {
  const url = await testDatabaseUrl()
  const openAgain = () => {
    const db = openDatabase(url, { max: 1 })
    afterAll(() => db.close())
    return db
  }
  const db = openAgain()
  await db.execute(sql`
    insert into stories (id, type, source, status, slug, title, title_key, content, categories, published_at)
    select gen_random_uuid(), 'story', 'pre_uploaded', 'published', 'lamp-' || at, 'The Lamp', 'the lamp', 'She lit it.', '{romantic}',
      now() - at * interval '1 second'
    from generate_series(1, ${items}::int) as at`)
  await view(db, sql`true`)
  return { db, openAgain }
}

/** Adds one view to each of some items. */
function view(db: Database, where: SQL) {
  return db.execute(sql`
    insert into playback_sessions (id, session_id, story_id, day, created_at)
    select gen_random_uuid(), gen_random_uuid()::text, id, (now() at time zone 'UTC')::date, now() from stories where ${where}`)
}

async function viewsOf(db: Database, timeframe: Timeframe): Promise<number | undefined> {
  const [first] = await listTrending(db, { timeframe, type: 'all', order: 'most-viewed', limit: 1 })
  return first?.views
}

const viewsOfEach = (db: Database) => Promise.all(timeframes.map((timeframe) => viewsOf(db, timeframe)))

async function countChanges(db: Database): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`select count(*)::int as count from trending_changes`)
  return row?.count ?? 0
}

/** More than one batch. */
const itemsMax = 2 * atOnceMax + 50
const [small, large] = [await libraryOf(3), await libraryOf(itemsMax)]

test('a small library is ranked when it is read, so that each view counts at once', async () => {
  expect(await viewsOfEach(small.db)).toEqual([1, 1, 1, 1])
  await view(small.db, sql`slug = 'lamp-2'`)
  expect(await viewsOfEach(small.openAgain())).toEqual([2, 2, 2, 2])
  expect(await countChanges(small.db)).toBe(0)
})

test('a small library keeps its rankings when the database is read-only', async () => {
  const before = await viewsOf(small.db, 'all')
  await small.db.execute(sql`insert into trending_changes (story_id) select id from stories`)
  const reader = small.openAgain()
  await reader.execute(sql`set default_transaction_read_only = on`)
  expect(await viewsOf(reader, 'all')).toBe(before)
})

describe('a large library', () => {
  test('is ranked in batches when the program starts, which can stop between two of them', async () => {
    const db = large.openAgain()
    const start = () =>
      startRanking(
        db,
        createLog('error', () => {}),
      )
    await start().stop()
    const left = await countChanges(db)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(itemsMax)
    await start().stop()
    expect(await viewsOfEach(db)).toEqual([1, 1, 1, 1])
    expect((await findStats(db, 'all')).totalViews).toBe(itemsMax)
  })

  test('counts as large even if only one of its items has been viewed', async () => {
    const { db } = await libraryOf(1)
    await refreshRankings(db)
    await db.execute(sql`
      insert into stories (id, slug, title, title_key, content)
      select gen_random_uuid(), 'lamp-' || at, 'The Lamp', 'the lamp', 'She lit it.' from generate_series(2, ${atOnceMax}::int + 1) as at`)
    await db.execute(sql`analyze stories`)
    expect(await refreshIfSmall(db)).not.toBeNull()
  })

  test('keeps its rankings until the next refresh', async () => {
    await view(large.db, sql`slug = 'lamp-7'`)
    expect(await viewsOfEach(large.db)).toEqual([1, 1, 1, 1])
    expect(await refreshRankings(large.db)).toBe(1)
    expect(await viewsOfEach(large.db)).toEqual([2, 2, 2, 2])
  })

  test('hides a removed item at once, and counts it until the next refresh', async () => {
    await large.db.execute(sql`update stories set status = 'removed' where slug = 'lamp-7'`)
    forgetRankings(large.db)
    expect(await viewsOfEach(large.db)).toEqual([1, 1, 1, 1])
    await refreshRankings(large.db)
    expect((await findStats(large.openAgain(), '7d')).totalViews).toBe(itemsMax - 1)
    await large.db.execute(sql`update stories set status = 'published'`)
    await refreshRankings(large.db)
    expect(await viewsOfEach(large.db)).toEqual([2, 2, 2, 2])
  })

  test('marks its best tenth as hot, also when the last of them becomes the first', async () => {
    const lastHot = async () => (await windows()).find(({ timeframe }) => timeframe === 'all')?.last_hot
    const last = await lastHot()
    for (let times = 0; times < 3; times += 1) await view(large.db, sql`id = ${last}::uuid`)
    await refreshRankings(large.db)
    const [first, second] = await listTrending(large.db, {
      timeframe: 'all',
      type: 'all',
      order: 'trending',
      limit: 2,
    })
    expect(first?.id).toBe(`${last}`)
    expect([first?.isHot, second?.isHot]).toEqual([true, true])
    expect(await lastHot()).not.toBe(last)
  })

  test('is refreshed by one process at a time, and handles each change once', async () => {
    const [one, other] = [large.openAgain(), large.openAgain()]
    await view(large.db, sql`slug in ('lamp-1', 'lamp-2', 'lamp-3')`)
    const changes = await countChanges(large.db)
    expect(changes).toBe(3)
    await one.transaction(async (tx) => {
      await lock(tx, 'rankings')
      expect(await refreshRankings(other)).toBe(0)
      expect(await viewsOf(other, 'all')).toBe(4)
    })
    const taken = await Promise.all([one, other, large.db].map((db) => refreshRankings(db)))
    expect(taken.reduce((sum, each) => sum + each, 0)).toBe(changes)
    expect(await countChanges(large.db)).toBe(0)
  })

  test('loses no change when a refresh is rolled back', async () => {
    await view(large.db, sql`slug = 'lamp-9'`)
    const before = await windows()
    const cut = large.db.transaction(async (tx) => {
      expect(await refreshRankings(tx)).toBe(1)
      throw new Error('The power is off.')
    })
    expect((await rejectionOf(cut)).message).toBe('The power is off.')
    expect(await windows()).toEqual(before)
    expect(await refreshRankings(large.db)).toBe(1)
  })

  test('updates its mean rating and each Bayesian rating only when the mean has moved far enough', async () => {
    const mean = async () =>
      Number((await windows()).find(({ timeframe }) => timeframe === 'all')?.mean_rating)
    await rate(sql`at <= 300`, 3)
    await refreshRankings(large.db)
    expect(await mean()).toBe(3)
    await rate(sql`at = 301`, 5)
    await refreshRankings(large.db)
    expect(2 / 301).toBeLessThan(meanRatingStep)
    expect(await mean()).toBe(3)
    await rate(sql`at in (302, 303)`, 5)
    await refreshRankings(large.db)
    expect(await mean()).toBe((3 * 300 + 15) / 303)
    const [unrated] = await large.db.execute<{ bayesian_rating: number }>(sql`
      select min(bayesian_rating) as bayesian_rating from trending_items where timeframe = 'all' and ratings = 0`)
    expect(unrated?.bayesian_rating).toBeCloseTo((3 * 300 + 15) / 303, 12)
  })

  test('handles an item once when it leaves a window and once when it stops ageing', async () => {
    await refreshRankings(large.db)
    const views = async () => (await windows()).map((each) => Number(each.views))
    const before = await views()
    expect(await refreshRankings(large.db, { now: sql`now() + interval '25 hours'` })).toBe(2 * itemsMax)
    expect(await views()).toEqual([0, ...before.slice(1)])
  })
})

async function windows() {
  return [
    ...(await large.db.execute<Record<string, unknown>>(
      sql`select * from trending_windows order by timeframe`,
    )),
  ]
}

function rate(where: SQL, rating: number) {
  return large.db.execute(sql`
    insert into story_feedback (id, story_id, rating)
    select gen_random_uuid(), id, ${rating} from (
      select id, row_number() over (order by published_at desc) as at from stories
    ) as numbered where ${where}`)
}

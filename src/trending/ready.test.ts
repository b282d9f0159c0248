import { afterAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { type Database, openDatabase } from '#db/db'
import { testDatabaseUrl } from '#db/testing'
import { createLog } from '#src/process/log'
import { rejectionOf } from '#src/testing/rejection'
import { findRanking, forgetRankings, readyRankings, startRanking } from './ranking-cache'
import { type Timeframe, timeframes } from './rules'

const [small, large] = [await libraryOf(3), await libraryOf(1_001)]

async function libraryOf(items: number): Promise<{ db: Database; openAgain(): Database }> {
  const url = await testDatabaseUrl()
  const db = openDatabase(url, { max: 2 })
  afterAll(() => db.close())
  await db.execute(sql`
    insert into stories (id, type, source, status, slug, title, title_key, content, categories, published_at, upvotes)
    select gen_random_uuid(), 'story', 'pre_uploaded', 'published', 'lamp-' || at, 'The Lamp', 'the lamp', 'She lit it.', '{romantic}', now(), 1
    from generate_series(1, ${items}::int) as at`)
  await viewAll(db)
  return {
    db,
    openAgain() {
      const other = openDatabase(url, { max: 2 })
      afterAll(() => other.close())
      return other
    },
  }
}

/** Each item gets one more view, without a notification: only a ranking computed now includes it. */
function viewAll(db: Database) {
  return db.execute(sql`
    insert into playback_sessions (id, session_id, story_id, day, created_at)
    select gen_random_uuid(), gen_random_uuid()::text, id, (now() at time zone 'UTC')::date, now() from stories`)
}

const viewsOf = async (db: Database, timeframe: Timeframe) =>
  (await findRanking(db, timeframe)).items[0]?.views

test('of a large library all rankings are ready, cached while they are young, and made again when they are old', async () => {
  const db = large.openAgain()
  await readyRankings(db)
  await viewAll(db)
  await readyRankings(db)
  expect(await Promise.all(timeframes.map((each) => viewsOf(db, each)))).toEqual([1, 1, 1, 1])
  await readyRankings(db, 0)
  expect(await Promise.all(timeframes.map((each) => viewsOf(db, each)))).toEqual([2, 2, 2, 2])
})

test('after a change to the library they are made ready again', async () => {
  const db = large.openAgain()
  await readyRankings(db)
  const before = (await findRanking(db, 'all')).items.length
  await db.execute(sql`update stories set status = 'removed' where slug = 'lamp-1'`)
  forgetRankings(db)
  await readyRankings(db)
  await db.execute(sql`update stories set status = 'published'`)
  for (const timeframe of timeframes)
    expect((await findRanking(db, timeframe)).items).toHaveLength(before - 1)
})

test('a small library is looked at once, and never again for nothing', async () => {
  const db = small.openAgain()
  await readyRankings(db)
  forgetRankings(db)
  // Queries of a closed database are rejected.
  await db.close()
  await readyRankings(db, 0)
  await rejectionOf(findRanking(db, '7d'))
})

test('the program readies them when it starts, and stops on request', async () => {
  const db = large.openAgain()
  const ranking = startRanking(
    db,
    createLog('error', () => {}),
  )
  await ranking.stop()
  const views = await viewsOf(db, 'all')
  await viewAll(db)
  expect(await viewsOf(db, 'all')).toBe(views)
  expect(await viewsOf(db, '24h')).toBe(views)
})

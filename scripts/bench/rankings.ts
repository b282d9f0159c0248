import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { listRanked } from '#src/trending/list'
import { refreshRankings } from '#src/trending/refresh'
import { orders, timeframes } from '#src/trending/rules'
import { fillLibrary } from './library'
import { figure, heading } from './report'
import { withServerAndDatabase } from './servers'
import { vacuum } from './vacuum'

const rounds = 9
const changes = 100

/**
 * What the rankings cost over so many items that were seen today: to make them for the first time, to bring all of them
 * up to date after some views and votes, where nothing has changed, and to read the first of one. The server of this
 * bench stands still meanwhile.
 */
export async function benchRankings(): Promise<void> {
  heading(
    `Rankings by the number of items in them, ${changes} views between two refreshes, median of ${rounds}`,
  )
  await withServerAndDatabase(async (server, db) => {
    process.kill(server.pid, 'SIGSTOP')
    for (const count of [1_000, 10_000, 100_000]) await benchSize(db, count)
    process.kill(server.pid, 'SIGCONT')
  })
}

async function benchSize(db: Database, count: number): Promise<void> {
  await fillLibrary(db, count)
  await seeAll(db)
  const items = `${count.toLocaleString('en')} items`
  figure(`${items}: all of them for the first time`, await timeOf(() => refreshRankings(db)), 'ms')
  await vacuum(db)
  const afterChanges: number[] = []
  const afterNothing: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await seeSome(db)
    afterChanges.push(await timeOf(() => refreshRankings(db)))
    afterNothing.push(await timeOf(() => refreshRankings(db)))
  }
  figure(`${items}: after ${changes} changes`, medianOf(afterChanges), 'ms')
  figure(`${items}: after no change`, medianOf(afterNothing), 'ms')
  for (const order of orders) {
    const reads: number[] = []
    for (let round = 0; round < rounds; round += 1)
      for (const timeframe of timeframes)
        reads.push(await timeOf(() => listRanked(db, { timeframe, type: 'all', order })))
    figure(`${items}: the first fifty, ${order}`, medianOf(reads), 'ms')
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Each item that nobody has seen yet gets a view of today. */
async function seeAll(db: Database): Promise<void> {
  await db.execute(sql`
    insert into playback_sessions (id, session_id, story_id, day, created_at)
    select gen_random_uuid(), 'visitor', stories.id, (now() at time zone 'UTC')::date, now()
    from stories left join item_totals on item_totals.story_id = stories.id where item_totals.story_id is null`)
  await vacuum(db)
}

async function seeSome(db: Database): Promise<void> {
  await db.execute(sql`
    insert into playback_sessions (id, session_id, story_id, day, created_at)
    select gen_random_uuid(), gen_random_uuid()::text, id, (now() at time zone 'UTC')::date, now()
    from (select id from stories order by random() limit ${changes}) as seen`)
}

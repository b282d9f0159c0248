import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { listRanked } from '#src/trending/list'
import { refreshRankings } from '#src/trending/refresh'
import { orders, timeframes } from '#src/trending/rules'
import { fillLibrary } from './fill'
import { cpuMsOf } from './processes'
import { figure, heading } from './report'
import { withServerAndDatabase } from './servers'
import { vacuum } from './vacuum'

const rounds = 20
const changes = 100

/**
 * Measures what the rankings cost by the number of items viewed today: to create them, to update all of them after some
 * views, to update them after no change, and to read the first page of one. In duration, and in processor time of the
 * database, which other work on the machine does not lengthen. The server is paused meanwhile.
 */
export async function benchRankings(): Promise<void> {
  heading(
    `Rankings by the number of items in them, ${changes} views between two refreshes, mean of ${rounds}`,
  )
  await withServerAndDatabase(async (server, db) => {
    process.kill(server.pid, 'SIGSTOP')
    for (const count of [1_000, 10_000, 100_000]) await benchSize(db, count)
    process.kill(server.pid, 'SIGCONT')
  })
}

/** Measures the rankings after filling the library up to `count` items. Nothing else may update them meanwhile. */
export async function benchSize(db: Database, count: number): Promise<void> {
  await fillLibrary(db, count)
  await seeAll(db)
  const items = `${count.toLocaleString('en')} items`
  show(`${items}: for the first time`, await timeOf(db, () => refreshRankings(db)))
  await vacuum(db)
  const [afterChanges, afterNothing]: [Times[], Times[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    await seeSome(db)
    afterChanges.push(await timeOf(db, () => refreshRankings(db)))
    afterNothing.push(await timeOf(db, () => refreshRankings(db)))
  }
  show(`${items}: after ${changes} changes`, meanOf(afterChanges))
  show(`${items}: after no change`, meanOf(afterNothing))
  for (const order of orders) {
    const reads: Times[] = []
    for (let round = 0; round < rounds; round += 1)
      for (const timeframe of timeframes)
        reads.push(await timeOf(db, () => listRanked(db, { timeframe, type: 'all', order })))
    show(`${items}: the first fifty, ${order}`, meanOf(reads))
  }
}

type Times = { cpuMs: number; ms: number }

async function timeOf(db: Database, work: () => Promise<unknown>): Promise<Times> {
  const backends = await db.execute<{ pid: number }>(
    sql`select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
  )
  const cpuMs = () => backends.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0)
  const [cpuMsBefore, startedAt] = [cpuMs(), performance.now()]
  await work()
  return { cpuMs: cpuMs() - cpuMsBefore, ms: performance.now() - startedAt }
}

function meanOf(times: readonly Times[]): Times {
  const mean = (of: (each: Times) => number) => times.reduce((sum, each) => sum + of(each), 0) / times.length
  return { cpuMs: mean(({ cpuMs }) => cpuMs), ms: mean(({ ms }) => ms) }
}

function show(name: string, { cpuMs, ms }: Times): void {
  figure(`${name}, processor`, cpuMs, 'ms')
  figure(`${name}, time`, ms, 'ms')
}

/** Adds a view of today to each item that has none. */
async function seeAll(db: Database): Promise<void> {
  for (let seen = batch; seen === batch; ) {
    const result = await db.execute(sql`
      insert into playback_sessions (id, session_id, story_id, day, created_at)
      select gen_random_uuid(), 'visitor', stories.id, (now() at time zone 'UTC')::date, now()
      from stories left join item_totals on item_totals.story_id = stories.id
      where item_totals.story_id is null limit ${batch}`)
    seen = result.count
  }
  await vacuum(db)
}

/** As many as one statement can insert within the statement timeout. */
const batch = 20_000

async function seeSome(db: Database): Promise<void> {
  await db.execute(sql`
    insert into playback_sessions (id, session_id, story_id, day, created_at)
    select gen_random_uuid(), gen_random_uuid()::text, id, (now() at time zone 'UTC')::date, now()
    from (select id from stories order by random() limit ${changes}) as seen`)
}

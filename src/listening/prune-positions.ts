import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { visitorCookieSeconds } from '#src/request/visitor-id'
import { devicesMax } from './rules'

/** Rows of one statement, so that none takes long. */
const rowsAtOnce = 5_000

/** How far back new devices are searched: several runs of the pruning see each, in case one fails. */
const lookBackSeconds = 3_600

/**
 * Removes the positions of visitors, and of their devices, once their cookies have expired. Ids contain the time of
 * their creation, so the primary key finds rows of that age. An index on the last report would be updated by every
 * report.
 */
export function pruneVisitorPositions(db: Executor, atOnce = rowsAtOnce): Promise<void> {
  return repeat(db, atOnce, () => {
    const due = sql`
      select id from content_progress
      where id < ${idMadeBefore(visitorCookieSeconds)} and user_id is null
        and last_updated_at < now() - make_interval(secs => ${visitorCookieSeconds})
      limit ${atOnce} for update skip locked`
    return sql`
      with gone as (delete from content_progress where id in (${due}) returning anon_id, content_id),
        devices as (
          delete from device_positions using gone
          where device_positions.anon_id = gone.anon_id and device_positions.content_id = gone.content_id)
      select count(*)::int as count from gone`
  })
}

/**
 * Removes all but the latest devices of a listener in an item, if new ones were added lately. The ids of rows that a
 * sign-in has moved contain no time; these rows are pruned with the member's next new device.
 */
export function pruneDevicePositions(db: Executor, atOnce = rowsAtOnce): Promise<void> {
  return repeat(db, atOnce, () => {
    const recent = sql`
      select anon_id, content_id from device_positions
      where id between ${idMadeBefore(lookBackSeconds)} and ${idMadeBefore(-lookBackSeconds)}`
    const ranked = sql`
      select id, row_number() over (partition by anon_id, content_id order by updated_at desc, id desc) as number
      from device_positions where (anon_id, content_id) in (${recent})`
    return sql`
      with gone as (
        delete from device_positions
        where id in (select id from (${ranked}) as ranked where number > ${devicesMax} limit ${atOnce}) returning 1)
      select count(*)::int as count from gone`
  })
}

async function repeat(db: Executor, atOnce: number, statement: () => SQL): Promise<void> {
  for (;;) {
    const [row] = await db.execute<{ count: number }>(statement())
    if ((row?.count ?? 0) < atOnce) return
  }
}

/** An id as of so many seconds ago, to compare ids with. */
function idMadeBefore(seconds: number): string {
  return Bun.randomUUIDv7('hex', Date.now() - seconds * 1_000)
}

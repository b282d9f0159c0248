import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/db'
import { isUniqueViolation } from '#db/failures'
import { dropVisitorMeters, mergePlayback } from '#src/analytics/count-playback'
import { existingMember } from '#src/personal-data/existing-member'
import type { MergedTable } from '#src/personal-data/registry'

type Merge = (tx: Transaction, visitorId: string, userId: string) => Promise<unknown>

/**
 * How the rows of each table become the member's. Each statement deletes only the rows that it has moved. The player
 * may go on reporting meanwhile, and those reports stay the visitor's until the next sign-in.
 */
const merges: Record<MergedTable<'sign-in'>, Merge> = {
  async content_progress(tx, visitorId, userId) {
    // If both have a position in an item, the later one wins; it is completed if either is.
    await tx.execute(sql`
      with moved as (delete from content_progress where anon_id = ${visitorId} returning *)
      insert into content_progress as mine (id, session_id, anon_id, user_id, content_type, content_id, last_position_sec, total_sec, completed, device_id, sequence, reported_at, first_started_at, last_updated_at)
      select gen_random_uuid(), session_id, ${userId}, ${userId}::uuid, content_type, content_id, last_position_sec, total_sec, completed, device_id, sequence, reported_at, first_started_at, last_updated_at
      from moved
      on conflict (anon_id, content_id, content_type) do update set
        completed = mine.completed or excluded.completed,
        first_started_at = least(mine.first_started_at, excluded.first_started_at),
        last_position_sec = case when excluded.reported_at > mine.reported_at then excluded.last_position_sec else mine.last_position_sec end,
        total_sec = coalesce(case when excluded.reported_at > mine.reported_at then excluded.total_sec end, mine.total_sec),
        device_id = case when excluded.reported_at > mine.reported_at then excluded.device_id else mine.device_id end,
        sequence = case when excluded.reported_at > mine.reported_at then excluded.sequence else mine.sequence end,
        reported_at = greatest(mine.reported_at, excluded.reported_at),
        last_updated_at = greatest(mine.last_updated_at, excluded.last_updated_at)`)
  },
  async device_positions(tx, visitorId, userId) {
    await tx.execute(sql`
      with moved as (delete from device_positions where anon_id = ${visitorId} returning *)
      insert into device_positions as mine (id, anon_id, content_id, device_id, device, total_sec, sequence, position_sec, updated_at)
      select gen_random_uuid(), ${userId}, content_id, device_id, device, total_sec, sequence, position_sec, updated_at from moved
      on conflict (anon_id, content_id, device_id) do update set sequence = excluded.sequence, device = excluded.device, total_sec = excluded.total_sec, position_sec = excluded.position_sec, updated_at = excluded.updated_at
      where excluded.updated_at > mine.updated_at`)
  },
  playback_sessions: mergePlayback,
  playback_meters: dropVisitorMeters,
}

/** Makes a visitor's positions and views the member's at sign-in. */
export async function mergeVisitor(db: Database, visitorId: string, userId: string): Promise<void> {
  const mergeAll = () =>
    db.transaction(async (tx) => {
      const [member] = await tx.execute(sql`select 1 where ${existingMember(userId)} is not null`)
      if (!member) return
      for (const merge of Object.values(merges)) await merge(tx, visitorId, userId)
    })
  // Another device of the member may insert its first view of the same item concurrently. The second attempt then
  // merges with it.
  await mergeAll().catch((error) => {
    if (!isUniqueViolation(error)) throw error
    return mergeAll()
  })
}

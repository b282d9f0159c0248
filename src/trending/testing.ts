import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'

/** Adds views of an item by new visitors, some hours ago. */
export async function addViews(db: Executor, storyId: string, count: number, hoursAgo = 0): Promise<void> {
  await db.execute(sql`
    insert into playback_sessions (id, session_id, story_id, day, created_at)
    select gen_random_uuid(), gen_random_uuid()::text, ${storyId}::uuid, (at at time zone 'UTC')::date, at
    from (select now() - make_interval(hours => ${hoursAgo}::int) as at) as seen, generate_series(1, ${count}::int)`)
}

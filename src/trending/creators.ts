import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { isoDay } from './activity'
import type { Timeframe } from './rules'
import type { Creator } from './schema'
import { startOf } from './stats'

/** Shown for a member without a name. */
const nameDefault = 'A member'
const creatorsMax = 20

/**
 * Members by the views and upvotes of their shared items in a timeframe, the most first; members whose items have none
 * come last. Only first names are shown: other data about members are private.
 */
export async function listTopCreators(db: Executor, timeframe: Timeframe, now: Date): Promise<Creator[]> {
  const rows = await db.execute<Omit<Creator, 'name'> & { name: string | null }>(sql`
    select users.first_name as name, count(*)::int as items, coalesce(sum(happened.views), 0)::int as views,
      coalesce(sum(happened.upvotes), 0)::int as upvotes
    from stories join users on users.id = stories.user_id
    left join lateral (
      select sum(views) as views, sum(upvotes) as upvotes from item_days
      where item_days.story_id = stories.id and day >= ${isoDay(startOf(timeframe, now))}::date
    ) as happened on true
    where stories.status = 'published' and stories.source = 'user_generated' and stories.is_shared
      and users.suspended_at is null
    group by users.id order by views desc, upvotes desc, items desc, users.id limit ${creatorsMax}`)
  return rows.map((row) => ({ ...row, name: row.name || nameDefault }))
}

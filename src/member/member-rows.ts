import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'

/** Which rows of a table are a member's: a condition on the table's own columns. */
export type MemberRows = { table: string; where: SQL }
type Who = { id: string; email: string | null }

/**
 * Every table that holds something of a member, with the rows that do: those that name the member in a column
 * `user_id`, as the catalogue has them at this moment, and those that do so in another way.
 */
export async function listMemberRows(db: Executor, who: Who): Promise<MemberRows[]> {
  const catalogue = await db.execute<{ table: string }>(sql`
    select relation.relname as table
    from pg_class as relation
    join pg_attribute as part on part.attrelid = relation.oid and part.attname = 'user_id'
    where relation.relnamespace = 'public'::regnamespace and relation.relkind in ('r', 'p')
      and not relation.relispartition and part.atttypid = 'uuid'::regtype
    order by 1`)
  const named = namedOtherwise(who)
  const byUser = catalogue
    .map(({ table }) => table)
    .filter((table) => !(table in named))
    .map((table) => ({ table, where: sql`user_id = ${who.id}::uuid` }))
  return [...byUser, ...Object.entries(named).map(([table, where]) => ({ table, where }))]
}

/** Tables in which a member stands by another name, or through what they made. */
function namedOtherwise({ id, email }: Who): Record<string, SQL> {
  const isOwnItem = sql`story_id in (select id from stories where user_id = ${id}::uuid)`
  return {
    users: sql`id = ${id}::uuid`,
    content_progress: sql`anon_id = ${id}`,
    device_positions: sql`anon_id = ${id}`,
    openings: sql`reader_id = ${id}`,
    playback_meters: sql`listener_id = ${id}`,
    analytics_last_days: sql`visitor = ${id}`,
    tracking_sessions: sql`anon_id = ${id} or anon_id in (select anon_id from analytics_links where user_id = ${id}::uuid)`,
    narrations: isOwnItem,
    narration_timings: sql`narration_id in (select id from narrations where ${isOwnItem})`,
    scripts: isOwnItem,
    jobs: isOwnItem,
    guideline_decisions: sql`actor = ${actorOf(id)}`,
    // Not those about the member's items: who reports is nobody's to know.
    content_flags: sql`flagged_by = ${id} or reporter_email = ${email}`,
    audit_log: sql`subject_type = 'member' and subject_id = ${id}`,
    beta_signups: sql`email = ${email}`,
    throttles: sql`key like ${`%${id}%`}`,
  }
}

/** How a member is named where texts are judged (src/creation/create.ts). */
export function actorOf(id: string): string {
  return `member:${id}`
}

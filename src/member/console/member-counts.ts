import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'

export type MemberCounts = {
  items: number
  narrations: number
  favorites: number
  votes: number
  ratings: number
  challenges: number
  started: number
}

/** Counts a member's data. */
export async function countOfMember(db: Executor, id: string): Promise<MemberCounts> {
  const [row] = await db.execute<MemberCounts>(sql`select
    (select count(*) from stories where user_id = ${id}::uuid)::int as items,
    (select count(*) from narrations join stories on stories.id = narrations.story_id
      where stories.user_id = ${id}::uuid and narrations.is_current)::int as narrations,
    (select count(*) from favorites where user_id = ${id}::uuid)::int as favorites,
    (select count(*) from votes where user_id = ${id}::uuid)::int as votes,
    (select count(*) from story_feedback where user_id = ${id}::uuid)::int as ratings,
    (select count(*) from challenge_enrolments where user_id = ${id}::uuid)::int as challenges,
    (select count(*) from content_progress where anon_id = ${id})::int as started`)
  if (!row) throw new Error('A select without a table answered no row.')
  return row
}

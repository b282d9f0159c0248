import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import type { ItemType, Status } from '#src/story/rules'
import type { DemoState } from './schema'

export type DemoItem = {
  id: string
  type: ItemType
  title: string
  status: Status
  /** Whether an operator has edited it, recorded it, or imported over it. */
  isChanged: boolean
  /** Whether it is a day of a challenge of the operators' own. */
  isUsed: boolean
}

/** Describes what removing the demo library would do; changes nothing. */
export async function describeDemo(db: Executor): Promise<DemoState> {
  const items = await listDemoItems(db)
  const going = items.filter(isGoing)
  const [row] = await db.execute<{ challenges: number; away: number }>(sql`
    select (select count(*) from challenges where published_at is not null and id in (${uneditedDemoChallengeIds}))::int as challenges,
      (select count(*) from stories join demo_items on story_id = id where ${isTakenAway})::int as away`)
  return {
    stories: going.filter(({ type }) => type === 'story').length,
    flows: going.filter(({ type }) => type === 'flow').length,
    challenges: row?.challenges ?? 0,
    kept: items
      .filter((item) => !isGoing(item))
      .map(({ id, title, isChanged }) => ({
        id,
        title,
        reason: isChanged ? 'It was changed since.' : 'A challenge of yours has a day for it.',
      })),
    takenAway: row?.away ?? 0,
  }
}

/** Lists the present demo items by title. */
export async function listDemoItems(db: Executor): Promise<DemoItem[]> {
  const rows = await db.execute<DemoItem>(sql`
    select id, type, title, status,
      (exists (select 1 from audit_log where subject_type = 'item' and subject_id = stories.id::text
        and action in ('edit', 'edit_script', 'upload_audio', 'restore_audio', 'upload_timings'))
      or exists (select 1 from audit_items join audit_log on audit_log.id = change_id
        where subject_type = 'import' and item_id = stories.id)) as "isChanged",
      exists (select 1 from challenge_flows where challenge_flows.story_id = stories.id
        and challenge_id not in (${uneditedDemoChallengeIds})) as "isUsed"
    from stories join demo_items on demo_items.story_id = stories.id
    where status <> 'removed' order by title`)
  return [...rows]
}

/** Whether an item would be removed: not if an operator has made it their own. */
export function isGoing({ isChanged, isUsed }: DemoItem): boolean {
  return !isChanged && !isUsed
}

/** The demo challenges that operators have not edited, or that are unpublished. */
export const uneditedDemoChallengeIds = sql`
  select challenge_id from demo_challenges join challenges as demo on demo.id = challenge_id
  where demo.published_at is null or not exists (
    select 1 from audit_log where subject_type = 'challenge' and action = 'edit' and subject_id = challenge_id::text)`

/**
 * Condition of the demo items that were removed together; an item that an operator removed separately is not among
 * them.
 */
export const isTakenAway = sql`(stories.status = 'removed' and demo_items.taken_from is not null)`

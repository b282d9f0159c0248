import { and, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { isId } from '#src/shape/id'
import { cutPage, readCursor, writeCursor } from '#src/shape/list-page'
import { missingItem } from '#src/story/require-item'
import type { NeverShown } from '#src/story/schema'
import type { UserContentItem } from '#src/user-story/schema'
import { allEntries, challengeFlows, describe, type Entry, entryColumns, newestFirst } from './entries'

export type UserContent = { items: UserContentItem[]; nextCursor: string | null }

/**
 * Lists the items of My Content, the newest first: own items, saved ones, and those of the open days of the member's
 * challenges. With `since`, lists those added or changed since then, the oldest change first. Throws `invalid` for a
 * cursor that is not one of ours.
 */
export async function listUserContent(
  db: Executor,
  memberId: string,
  {
    limit = userContentMax,
    cursor,
    since = null,
    neverShown = null,
  }: { limit?: number; cursor?: string; since?: Date | null; neverShown?: NeverShown | null } = {},
): Promise<UserContent> {
  const from = cursor === undefined ? null : readCursor(cursor, 'timestamp')
  const place = from && sql`(${from.value}::timestamptz, ${from.id}::uuid)`
  const list = since
    ? {
        where: sql`changed_at >= ${since.toISOString()}::timestamptz`,
        isAfter: place && sql`(changed_at, entry_id) > ${place}`,
        order: sql`changed_at, entry_id`,
      }
    : {
        where: sql`true`,
        isAfter: place && sql`(at, entry_id) < ${place}`,
        order: sql`entries.at desc, entry_id desc`,
      }
  const entries = await findEntries(db, memberId, {
    where: and(list.where, list.isAfter ?? undefined),
    order: list.order,
    limit: limit + 1,
    neverShown,
  })
  const { page, nextCursor } = cutPage(entries, limit, ({ at, changedAt, entryId }) =>
    writeCursor({ value: since ? changedAt : at, id: entryId }),
  )
  return { items: await describe(db, page), nextCursor }
}

/** Counts the items of My Content. */
export async function countUserContent(
  db: Executor,
  memberId: string,
  neverShown: NeverShown | null,
): Promise<number> {
  const [row] = await db.execute<{ items: number }>(sql`
    select count(*)::int as items
    from (${allEntries(memberId, neverShown)}) as entries`)
  return row?.items ?? 0
}

/** Returns one own or saved item of a member. Throws `not_found`. */
export async function requireUserContent(
  db: Executor,
  memberId: string,
  id: string,
): Promise<UserContentItem> {
  const entries = isId(id) ? await findEntries(db, memberId, { where: sql`story_id = ${id}`, limit: 1 }) : []
  const [item] = await describe(db, entries)
  if (!item) throw missingItem()
  return item
}

/** Items on a page of the API. */
export const userContentMax = 100

async function findEntries(
  db: Executor,
  memberId: string,
  {
    where,
    order = newestFirst,
    limit,
    neverShown = null,
  }: { where?: SQL; order?: SQL; limit: number; neverShown?: NeverShown | null },
): Promise<Entry[]> {
  const rows = await db.execute<Entry>(sql`
    select ${entryColumns} from (${allEntries(memberId, neverShown)}) as entries
    where ${where} order by ${order} limit ${limit}`)
  return [...rows]
}

/** Lists the latest flows of a member's challenges, the furthest day first. */
export async function listRecentFlows(
  db: Executor,
  memberId: string,
  neverShown: NeverShown | null = null,
): Promise<UserContentItem[]> {
  const rows = await db.execute<Entry>(sql`
    select ${entryColumns} from (${challengeFlows(memberId, neverShown)}) as entries
    order by challenge_day desc, entries.at desc, story_id desc limit ${recentFlowsShown}`)
  return describe(db, rows, 'beginning')
}

const recentFlowsShown = 3

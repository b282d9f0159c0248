import { and, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { isId } from '#src/shape/id'
import { cutPage, readCursor, writeCursor } from '#src/shape/list-page'
import { recordOf } from '#src/shape/pick'
import { itemVersion } from '#src/story/item-row'
import { isOfLength } from '#src/story/queries'
import { missingItem } from '#src/story/require-item'
import type { ItemType, Length } from '#src/story/rules'
import type { NeverShown } from '#src/story/schema'
import { searchFor } from '#src/story/search'
import type { UserContentItem } from '#src/user-story/schema'
import {
  allEntries,
  cardColumns,
  challengeFlows,
  describe,
  type Entry,
  entryColumns,
  newestFirst,
  ownAndSaved,
} from './user-content-entries'

export type UserContent = { items: UserContentItem[]; nextCursor: string | null }

/**
 * The items of My Content, the newest first: own items, saved ones, and those of challenges that the member has begun,
 * as far as their days have come; with `since` those that came or changed since then, the longest ago first. Throws
 * `invalid` for a cursor that is not one of ours.
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

/** How many items My Content has. */
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

/** One own or saved item of a member. Throws `not_found`. */
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

/** The size of a page of the API. */
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

export const userContentSorts = ['newest', 'oldest', 'duration'] as const
export type MyContentFilter = {
  q?: string
  type?: ItemType
  length?: Length
  sort?: (typeof userContentSorts)[number]
  page?: number
}
/** An own or saved item of a page: when it came here, and its version (`itemVersion`). */
export type UserContentCard = { id: string; at: string; isOwn: boolean; version: string }
export type UserContentPage = {
  items: UserContentCard[]
  /** Of the search's results, of any type. */
  counts: Record<'all' | ItemType, number>
  hasMore: boolean
}

/** Items of a page of My Content. */
export const userContentPageItems = 50

/** What My Content lists: own and saved items, searched, sorted, fifty at a time, with exact counts. */
export async function listUserContentPage(
  db: Executor,
  memberId: string,
  filter: MyContentFilter,
  neverShown: NeverShown | null = null,
): Promise<UserContentPage> {
  const rows = await readPage(db, memberId, filter, neverShown)
  const [counts] = rows
  const items = rows.flatMap(({ all, story, flow, ...item }) => (hasItem(item) ? item : []))
  return {
    items: items.slice(0, userContentPageItems),
    counts: { all: counts?.all ?? 0, story: counts?.story ?? 0, flow: counts?.flow ?? 0 },
    hasMore: items.length > userContentPageItems,
  }
}

function hasItem(item: { id: string | null }): item is UserContentCard {
  return item.id !== null
}

function readPage(
  db: Executor,
  memberId: string,
  { sort = 'newest', page = 1, ...narrowed }: MyContentFilter,
  neverShown: NeverShown | null,
) {
  const offset = (page - 1) * userContentPageItems
  if (!neverShown && !narrowed.q && !narrowed.type && !narrowed.length)
    return wholeQueries[sort](db).execute({ memberId, offset })
  const query = pageQuery(db, memberId, { sort, offset, ...narrowed }, neverShown)
  // What a member hides is part of the text: such statements are too many to be planned once.
  return neverShown ? query : query.prepare('user-content-page').execute()
}

/** Unfiltered, as most ask for it: one text for each order, so that it is built once too. */
const wholeQueries = recordOf(userContentSorts, (sort) =>
  prepareOnce((db) =>
    pageQuery(db, sql.placeholder('memberId'), { sort, offset: sql.placeholder('offset') }, null).prepare(
      'user-content-page',
    ),
  ),
)

type PageShown = Pick<MyContentFilter, 'q' | 'type' | 'length'> & {
  sort: (typeof userContentSorts)[number]
  offset: number | Placeholder
}

/**
 * The counts in every row, beside an entry or, where there is none, alone: both read all that was found. The entries
 * are named as the table is, for their versions.
 */
function pageQuery(
  db: Executor,
  memberId: string | Placeholder,
  { q = '', type, length, sort, offset }: PageShown,
  neverShown: NeverShown | null,
) {
  const isFound = and(searchFor(q), length && isOfLength(length))
  const order = {
    newest: newestFirst,
    oldest: sql`entries.at, story_id`,
    duration: sql`entries.duration, entries.at desc, story_id desc`,
  }[sort]
  return db
    .select({
      all: sql<number>`"all"`,
      story: sql<number>`story`,
      flow: sql<number>`flow`,
      id: sql<string | null>`"storyId"`,
      at: sql<string>`at`,
      isOwn: sql<boolean>`"isOwn"`,
      version: sql<string>`version`,
    })
    .from(sql`(
      with found as (
        select story_id, at, is_own, type, duration, xmin, updated_at from (${ownAndSaved(memberId, neverShown, isFound)}) as entries
      )
      select "all", story, flow, "storyId", at, "isOwn", place, ${itemVersion} as version
      from (
        select count(*)::int as "all", count(*) filter (where type = 'story')::int as story,
          count(*) filter (where type = 'flow')::int as flow
        from found
      ) as counts left join (
        select ${cardColumns}, story_id as id, xmin, updated_at, row_number() over (order by ${order}) as place from (
          select * from found as entries where ${type ? sql`type = ${type}` : sql`true`}
          order by ${order} limit ${userContentPageItems + 1} offset ${offset}
        ) as entries
      ) as stories on true
    ) as page`)
    .orderBy(sql`place`)
}

/** The latest flows of a member's challenges, the furthest day first. */
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

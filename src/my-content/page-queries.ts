import { and, type Placeholder, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { recordOf } from '#src/shape/pick'
import { itemVersion } from '#src/story/item-row'
import { isOfLength } from '#src/story/list-items'
import type { ItemType, Length } from '#src/story/rules'
import type { NeverShown } from '#src/story/schema'
import { searchFor } from '#src/story/search'
import { cardColumns, ownAndSaved } from './entries'

export const userContentSorts = ['newest', 'oldest', 'duration'] as const
export type MyContentFilter = {
  q?: string
  type?: ItemType
  length?: Length
  sort?: (typeof userContentSorts)[number]
  page?: number
}
/** An own or saved item on a page: when it was added, and its version (`itemVersion`). */
export type UserContentCard = { id: string; at: string; isOwn: boolean; version: string }
export type UserContentPage = {
  items: UserContentCard[]
  /** Counts of the search's results by type, whatever type is chosen. */
  counts: Record<'all' | ItemType, number>
  hasMore: boolean
  /** Most members have no challenges, so they are queried only if this is true. */
  hasChallenges: boolean
}

/** Items on a page of My Content. */
export const userContentPageItems = 50

/** Lists My Content: own and saved items, searched, sorted, fifty at a time, with exact counts. Takes one statement. */
export async function listUserContentPage(
  db: Executor,
  memberId: string,
  filter: MyContentFilter,
  neverShown: NeverShown | null = null,
): Promise<UserContentPage> {
  const rows = await readPage(db, memberId, filter, neverShown)
  const [counts] = rows
  const items = rows.flatMap(({ all, story, flow, hasChallenges, ...item }) => (hasItem(item) ? item : []))
  return {
    items: items.slice(0, userContentPageItems),
    counts: { all: counts?.all ?? 0, story: counts?.story ?? 0, flow: counts?.flow ?? 0 },
    hasMore: items.length > userContentPageItems,
    hasChallenges: counts?.hasChallenges ?? false,
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
  // Hidden categories and words are part of the statement's text: too many statements to prepare each.
  return neverShown ? query : query.prepare('user-content-page').execute()
}

/**
 * The queries of the unfiltered list, which is the most frequent, by order. Each has a constant text, so it is built
 * only once.
 */
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

const orders = {
  newest: sql`at desc, story_id desc`,
  oldest: sql`at, story_id`,
  duration: sql`duration, at desc, story_id desc`,
}

/**
 * Every row repeats the counts and whether the member has challenges; without entries there is one row, with these
 * alone. The entries are aliased like the table, which their versions refer to. A list that is filtered, or sorted by
 * length, is computed once for both the page and the counts. Otherwise indexes have the page's order, and the counts
 * read less.
 */
function pageQuery(
  db: Executor,
  memberId: string | Placeholder,
  { q = '', type, length, sort, offset }: PageShown,
  neverShown: NeverShown | null,
) {
  const isFound = and(searchFor(q), length && isOfLength(length))
  const found = sql`select story_id, at, is_own, type, duration, xmin, updated_at
    from (${ownAndSaved(memberId, neverShown, { isFound })}) as entries`
  const counts = sql`select count(*)::int as "all", count(*) filter (where type = 'story')::int as story,
    count(*) filter (where type = 'flow')::int as flow,
    exists (select from challenge_enrolments where user_id = ${memberId}) as has_challenges from found`
  const last = sql`${offset}::int + ${userContentPageItems + 1}::int`
  const inOrder =
    isFound || type || sort === 'duration'
      ? sql`found`
      : sql`(${ownAndSaved(memberId, neverShown, { cut: sql`order by ${orders[sort]} limit ${last}` })})`
  const shown = sql`select * from ${inOrder} as entries where ${type ? sql`type = ${type}` : sql`true`}
    order by ${orders[sort]} limit ${userContentPageItems + 1} offset ${offset}`
  return db
    .select({
      all: sql<number>`"all"`,
      story: sql<number>`story`,
      flow: sql<number>`flow`,
      hasChallenges: sql<boolean>`has_challenges`,
      id: sql<string | null>`"storyId"`,
      at: sql<string>`at`,
      isOwn: sql<boolean>`"isOwn"`,
      version: sql<string>`version`,
    })
    .from(sql`(
      with found as (${found})
      select "all", story, flow, has_challenges, "storyId", at, "isOwn", place, ${itemVersion} as version
      from (${counts}) as counts left join (
        select ${cardColumns}, story_id as id, xmin, updated_at,
          row_number() over (order by ${orders[sort]}) as place
        from (${shown}) as entries
      ) as stories on true
    ) as page`)
    .orderBy(sql`place`)
}

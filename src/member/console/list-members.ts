import { and, desc, inArray, isNotNull, isNull, lt, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { listRowChanges, type Since } from '#db/changes'
import type { Executor } from '#db/db'
import { perDatabase } from '#db/per-database'
import { prepareOnce } from '#db/prepared'
import { users } from '#db/schema'
import { type FoundMember, memberColumns } from '#src/member/find-member'
import { cacheEndedCounts } from '#src/process/cache'
import { readCursor, writeCursor } from '#src/story/cursor'
import { exactCountMax, isId } from '#src/story/rules'
import { prefixQuery } from '#src/story/search'

export const membersLimitMax = 100

export type MemberFilter = { q?: string; state?: 'active' | 'suspended'; ids?: readonly string[] }

export type MemberPage = {
  members: ListedMember[]
  total: MemberCount
  /** Null at the end. */
  nextCursor: string | null
}

/**
 * A page of members, the newest first, and how many there are. `q` is an id, or beginnings of the words of an email or
 * a name; `cursor` the id of the last member of the page before.
 */
export async function listMembers(
  db: Executor,
  { limit, cursor, ...filter }: MemberFilter & { limit: number; cursor?: string },
): Promise<MemberPage> {
  const total = await countMembers(db, filter)
  const isAfterCursor = cursor === undefined ? undefined : isId(cursor) ? lt(users.id, cursor) : sql`false`
  const search = searchOf(filter)
  const isRare = search !== null && !total.isMore
  const rows =
    isRare && isSearchAlone(filter) && !isAfterCursor
      ? await rareSearch(db).execute({ ...search, limit: limit + 1 })
      : await selectMembers(db, {
          where: and(filterOf(filter), isAfterCursor),
          order: isRare ? rareOrder : desc(users.id),
          limit: limit + 1,
        })
  const members = rows.slice(0, limit)
  return { members, total, nextCursor: rows.length > limit ? (members.at(-1)?.id ?? null) : null }
}

const placeholders = {
  email: sql.placeholder('email'),
  words: sql.placeholder('words'),
  id: sql.placeholder('id'),
  limit: sql.placeholder('limit'),
}

/** As most look for somebody: built and planned once. */
const rareSearch = prepareOnce((db) =>
  selectMembers(db, { where: isFound(placeholders), order: rareOrder, limit: placeholders.limit }).prepare(
    'rare-members',
  ),
)
const countOfSearch = prepareOnce((db) => countSome(db, isFound(placeholders)).prepare('members-count'))

function selectMembers(
  db: Executor,
  { where, order, limit }: { where: SQL | undefined; order: SQL; limit: number | Placeholder },
) {
  return db.select(listedColumns).from(users).where(where).orderBy(order).limit(limit)
}

/**
 * Ids are ordered by time. As text they are in the same order, which stops the planner from walking through all members
 * by their key for a rare search: 200 ms became 3 ms at 100,000 (measured). A name that a fifth of a million have is
 * found by that walk: 350 ms became 1 ms.
 */
const rareOrder = sql`users.id::text desc`

const listedColumns = {
  ...memberColumns,
  updatedAt: users.updatedAt,
  // Written out: drizzle drops the table's name in front of a column here.
  lastSeenAt: sql<
    string | null
  >`(select to_char(max(last_seen_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') from sessions where sessions.user_id = users.id)`,
}

export type ListedMember = FoundMember &
  Pick<typeof users.$inferSelect, 'updatedAt'> & { lastSeenAt: string | null }

export type MemberChanges = { members: ListedMember[]; nextCursor: string | null }

/** One page of the members that changed since then, the longest ago first. Throws `invalid` for another list's cursor. */
export async function listMemberChanges(
  db: Executor,
  { limit, cursor, ...filter }: MemberFilter & { limit: number; cursor?: string },
  since: Since,
): Promise<MemberChanges> {
  const after = cursor === undefined ? null : readCursor(cursor, 'timestamp')
  const list = { table: users, where: filterOf(filter) }
  const changes = await listRowChanges(db, list, since, { limit: limit + 1, after })
  const page = changes.slice(0, limit)
  const found = await listMembers(db, { ids: page.map(({ id }) => id), limit })
  const byId = new Map(found.members.map((member) => [member.id, member]))
  const last = page.at(-1)
  return {
    members: page.flatMap(({ id }) => byId.get(id) ?? []),
    nextCursor: changes.length > limit && last ? writeCursor({ value: last.at, id: last.id }) : null,
  }
}

type MemberCount = { count: number; isMore: boolean }

/** The number of members; `isMore` says that counting ended, which is believed for some seconds. */
async function countMembers(db: Executor, filter: MemberFilter): Promise<MemberCount> {
  const key = JSON.stringify([filter.q, filter.state, filter.ids])
  const count = await endedCountsOf(db)(key, () => countUpTo(db, filter))
  return { count: Math.min(count, exactCountMax), isMore: count > exactCountMax }
}

const endedCountsOf = perDatabase(() =>
  cacheEndedCounts({ countMax: exactCountMax, freshMs: 10_000, entriesMax: 100 }),
)

async function countUpTo(db: Executor, filter: MemberFilter): Promise<number> {
  const search = searchOf(filter)
  const [row] = await (search && isSearchAlone(filter)
    ? countOfSearch(db).execute(search)
    : countSome(db, filterOf(filter)))
  return row?.count ?? 0
}

function countSome(db: Executor, where: SQL | undefined) {
  const some = db
    .select({ id: users.id })
    .from(users)
    .where(where)
    .limit(exactCountMax + 1)
    .as('some')
  return db.select({ count: sql<number>`count(*)::int` }).from(some)
}

function filterOf({ state, ids, ...filter }: MemberFilter): SQL | undefined {
  const search = searchOf(filter)
  return and(
    ids && inArray(users.id, ids.filter(isId)),
    state === 'suspended' ? isNotNull(users.suspendedAt) : undefined,
    state === 'active' ? isNull(users.suspendedAt) : undefined,
    search ? isFound(search) : undefined,
  )
}

/** One of these is looked for; nothing is equal to null. */
type Search = { id: string | null; email: string | null; words: string | null }

/** Null for all members. */
function searchOf({ q }: MemberFilter): Search | null {
  const search = q?.trim() ?? ''
  if (search === '') return null
  if (isId(search)) return { id: search, email: null, words: null }
  return { id: null, email: search.toLowerCase(), words: prefixQuery(search) }
}

function isSearchAlone({ state, ids }: MemberFilter): boolean {
  return state === undefined && ids === undefined
}

function isFound({ id, email, words }: Record<keyof Search, string | null | Placeholder>): SQL | undefined {
  return or(
    sql`${users.id} = ${id}::uuid`,
    sql`${users.email} = ${email}`,
    sql`${users.search} @@ to_tsquery('simple', ${words})`,
  )
}

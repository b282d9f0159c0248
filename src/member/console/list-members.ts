import {
  and,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm'
import { listRowChanges, type Since } from '#db/changes'
import type { Executor } from '#db/db'
import { perDatabase } from '#db/per-database'
import { prepareOnce } from '#db/prepared'
import { users } from '#db/schema'
import { type FoundMember, memberColumns } from '#src/member/find-member'
import { cacheLargeCounts } from '#src/process/cache'
import { isId } from '#src/shape/id'
import {
  cutPage,
  exactCountMax,
  readCursor,
  readIdCursor,
  shownCount,
  writeCursor,
} from '#src/shape/list-page'
import { recordOf } from '#src/shape/pick'
import { prefixQuery } from '#src/story/search'

export const membersLimitMax = 100

export type MemberFilter = { q?: string; state?: 'active' | 'suspended'; ids?: readonly string[] }

export type MemberPage = {
  members: ListedMember[]
  /** Exact up to 10,000. Above that, `isAtLeast` is true. */
  count: number
  isAtLeast: boolean
  /** Null on the last page. */
  nextCursor: string | null
}

/**
 * A page of members, newest first, and their number. `q` is an id, or beginnings of the words of an email or a name.
 * `cursor` is the id of the last member of the previous page. Throws `invalid` for any other cursor.
 */
export async function listMembers(
  db: Executor,
  { limit, cursor, ...filter }: MemberFilter & { limit: number; cursor?: string },
): Promise<MemberPage> {
  const window = { before: cursor === undefined ? newest : readIdCursor(cursor), limit: limit + 1 }
  const { counted, rows } = await findUpTo(db, filter, window)
  const total = shownCount(counted)
  const read = total.isAtLeast ? await walkMembers(db, filter, window) : rows
  const { page: members, nextCursor } = cutPage(read, limit, ({ id }) => id)
  return { members, ...total, nextCursor }
}

/** The part of the result to return. Ids are ordered by time. */
type Window = { before: string; limit: number }
const newest = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Counts the matches, up to one more than are counted exactly, and reads a page of them, in one statement. It never
 * walks through all members by their key for a rare search (200 ms became 3 ms at 100,000, measured). A count above the
 * limit is cached for some seconds; the statement is then not run, and there are no rows.
 */
async function findUpTo(db: Executor, filter: MemberFilter, window: Window) {
  let rows: ListedMember[] = []
  const counted = await largeCountsOf(db)(JSON.stringify([filter.q, filter.state, filter.ids]), async () => {
    const search = searchOf(filter)
    const found = await (search && isSearchAlone(filter)
      ? searchQuery(db).execute({ ...search, ...window })
      : findQuery(db, filterOf(filter), window))
    rows = found.flatMap(({ member }) => member ?? [])
    return found[0]?.count ?? 0
  })
  return { counted, rows }
}

const largeCountsOf = perDatabase(() =>
  cacheLargeCounts({ countMax: exactCountMax, freshMs: 10_000, entriesMax: 100 }),
)

/** Every row repeats the count. Without members there is one row, with the count alone. */
function findQuery(
  db: Executor,
  where: SQL | undefined,
  { before, limit }: { [Name in keyof Window]: Window[Name] | Placeholder },
) {
  const found = db.$with('found').as(
    db
      .select({ id: users.id })
      .from(users)
      .where(where)
      .limit(exactCountMax + 1),
  )
  const counted = db
    .select({ count: sql<number>`count(*)::int`.as('count') })
    .from(found)
    .as('counted')
  const page = db
    .select({ id: found.id })
    .from(found)
    .where(lt(found.id, before))
    .orderBy(desc(found.id))
    .limit(limit)
    .as('page')
  return db
    .with(found)
    .select({ count: counted.count, member: listedColumns })
    .from(counted)
    .leftJoin(page, sql`true`)
    .leftJoin(users, eq(users.id, page.id))
    .orderBy(desc(page.id))
}

/** The most frequent search, for a text alone: built and planned once. */
const searchQuery = prepareOnce((db) =>
  findQuery(
    db,
    isFound(recordOf(['id', 'email', 'words'], sql.placeholder)),
    recordOf(['before', 'limit'], sql.placeholder),
  ).prepare('members-search'),
)

/**
 * A page of very many members, read by their key. For a name that a fifth of a million members have, this took 1 ms
 * instead of 350 ms (measured).
 */
function walkMembers(db: Executor, filter: MemberFilter, { before, limit }: Window): Promise<ListedMember[]> {
  return db
    .select(listedColumns)
    .from(users)
    .where(and(filterOf(filter), lt(users.id, before)))
    .orderBy(desc(users.id))
    .limit(limit)
}

const listedColumns = {
  ...memberColumns,
  updatedAt: users.updatedAt,
  // Raw SQL, because drizzle would omit the table's name before the column here.
  lastSeenAt: sql<
    string | null
  >`(select to_char(max(last_seen_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') from sessions where sessions.user_id = users.id)`,
}

export type ListedMember = FoundMember &
  Pick<typeof users.$inferSelect, 'updatedAt'> & { lastSeenAt: string | null }

export type MemberChanges = { members: ListedMember[]; nextCursor: string | null }

/**
 * A page of the members that changed since then, oldest change first. Throws `invalid` for a cursor of another list.
 */
export async function listMemberChanges(
  db: Executor,
  { limit, cursor, ...filter }: MemberFilter & { limit: number; cursor?: string },
  since: Since,
): Promise<MemberChanges> {
  const after = cursor === undefined ? null : readCursor(cursor, 'timestamp')
  const list = { table: users, where: filterOf(filter) }
  const changes = await listRowChanges(db, list, since, { limit: limit + 1, after })
  const { page, nextCursor } = cutPage(changes, limit, ({ at, id }) => writeCursor({ value: at, id }))
  const found = await listMembers(db, { ids: page.map(({ id }) => id), limit })
  const byId = new Map(found.members.map((member) => [member.id, member]))
  return { members: page.flatMap(({ id }) => byId.get(id) ?? []), nextCursor }
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

/** Terms of a search, joined with `or`. A null term matches nothing. */
type Search = { id: string | null; email: string | null; words: string | null }

/** Null if all members are listed. */
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

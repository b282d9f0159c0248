import { and, inArray, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { narrateKind } from '#src/narration/enqueue'
import { pick } from '#src/shape/pick'
import { readCursor, writeCursor } from '#src/story/cursor'
import { voicesSpoken } from '#src/story/item-row'
import { isShownTo } from '#src/story/never-shown'
import { isOfLength } from '#src/story/queries'
import { type ItemType, isId, type Length, type Status } from '#src/story/rules'
import type { NeverShown } from '#src/story/schema'
import { searchFor } from '#src/story/search'
import { urls } from '#src/urls'
import type { OwnState } from '#src/user-story/rules'
import { type UserContentItem, userContentFields } from '#src/user-story/schema'

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
  const entries = since
    ? await findEntries(
        db,
        memberId,
        sql`changed_at >= ${since.toISOString()}::timestamptz and ${place ? sql`(changed_at, story_id) > ${place}` : sql`true`}`,
        { limit: limit + 1, neverShown, order: sql`changed_at, story_id` },
      )
    : await findEntries(db, memberId, place ? sql`(at, story_id) < ${place}` : sql`true`, {
        limit: limit + 1,
        neverShown,
      })
  const shown = entries.slice(0, limit)
  const last = shown.at(-1)
  const value = since ? last?.changedAt : last?.at
  return {
    items: await describe(db, shown),
    nextCursor: entries.length > limit && last && value ? writeCursor({ value, id: last.storyId }) : null,
  }
}

/** How many items My Content has. */
export async function countUserContent(
  db: Executor,
  memberId: string,
  neverShown: NeverShown | null,
): Promise<number> {
  const [row] = await db.execute<{ items: number }>(sql`
    select count(*)::int as items
    from (${ownAndSaved(memberId, neverShown)} union all ${challengeFlows(memberId, neverShown)}) as entries`)
  return row?.items ?? 0
}

/** One own or saved item of a member. Throws `not_found`. */
export async function requireUserContent(
  db: Executor,
  memberId: string,
  id: string,
): Promise<UserContentItem> {
  const entries = isId(id) ? await findEntries(db, memberId, sql`story_id = ${id}`, { limit: 1 }) : []
  const [item] = await describe(db, entries)
  if (!item) throw new AppError('not_found', 'There is no such item. It may have been removed.')
  return item
}

/** The size of a page. */
export const userContentMax = 100

type Entry = {
  storyId: string
  /** ISO 8601, to the millisecond. */
  at: string
  /** The same: when it came here or was last changed. */
  changedAt: string
  isOwn: boolean
  challengeName: string | null
  challengeDay: number | null
}

async function findEntries(
  db: Executor,
  memberId: string,
  where: SQL,
  {
    limit,
    neverShown = null,
    order = sql`entries.at desc, story_id desc`,
  }: { limit: number; neverShown?: NeverShown | null; order?: SQL },
): Promise<Entry[]> {
  const rows = await db.execute<Entry>(sql`
    select ${entryColumns} from (${ownAndSaved(memberId, neverShown)} union all ${challengeFlows(memberId, neverShown)}) as entries
    where ${where}
    order by ${order} limit ${limit}`)
  return [...rows]
}

const entryColumns = sql`story_id as "storyId", to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
  to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "changedAt",
  is_own as "isOwn", challenge_name as "challengeName", challenge_day as "challengeDay"`

/** A member's own items, and saved ones that are not hidden since: own items stay listed to be edited and removed. */
function ownAndSaved(memberId: string, neverShown: NeverShown | null, isFound: SQL = sql`true`): SQL {
  return sql`
    select stories.id as story_id, date_trunc('milliseconds', stories.created_at) as at,
      date_trunc('milliseconds', stories.updated_at) as changed_at, true as is_own,
      null::text as challenge_name, null::int as challenge_day, stories.type, stories.minutes as duration
    from stories
    where user_id = ${memberId} and source = 'user_generated' and (status <> 'removed' or review_note is not null)
      and ${isFound}
    union all
    select stories.id, date_trunc('milliseconds', favorites.created_at),
      date_trunc('milliseconds', greatest(favorites.created_at, stories.updated_at)), false, null, null, stories.type, stories.minutes as duration
    from favorites join stories on stories.id = favorites.story_id
    where favorites.user_id = ${memberId} and stories.status = 'published'
      and (stories.source = 'pre_uploaded' or (stories.is_shared and stories.user_id is distinct from ${memberId}))
      and ${isShownTo(neverShown) ?? sql`true`} and ${isFound}`
}

/** The flows of a member's challenges, for the days that are open. */
function challengeFlows(memberId: string, neverShown: NeverShown | null): SQL {
  return sql`
    select stories.id as story_id, date_trunc('milliseconds', enrolments.created_at) as at,
      date_trunc('milliseconds', greatest(enrolments.created_at, challenges.updated_at, stories.updated_at,
        (enrolments.started_on + flows.day - 1)::timestamp at time zone enrolments.time_zone)) as changed_at,
      false as is_own,
      challenges.name as challenge_name, flows.day as challenge_day, stories.type, stories.minutes as duration
    from challenge_enrolments as enrolments
    join challenges on challenges.id = enrolments.challenge_id and challenges.published_at is not null
    join challenge_flows as flows on flows.challenge_id = challenges.id
    join stories on stories.id = flows.story_id
    where enrolments.user_id = ${memberId} and stories.status = 'published' and stories.source = 'pre_uploaded'
      and flows.day <= (coalesce(enrolments.paused_at, now()) at time zone enrolments.time_zone)::date - enrolments.started_on + 1
      and ${isShownTo(neverShown) ?? sql`true`}`
}

export const userContentSorts = ['newest', 'oldest', 'duration'] as const
export type MyContentFilter = {
  q?: string
  type?: ItemType
  length?: Length
  sort?: (typeof userContentSorts)[number]
  page?: number
}
export type UserContentPage = {
  items: UserContentItem[]
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
  const { q = '', type, length, sort = 'newest', page = 1 } = filter
  const isFound = and(searchFor(q), length && isOfLength(length))
  const order = {
    newest: sql`entries.at desc, story_id desc`,
    oldest: sql`entries.at, story_id`,
    duration: sql`entries.duration, entries.at desc, story_id desc`,
  }[sort]
  const found = sql`(${ownAndSaved(memberId, neverShown, isFound)}) as entries`
  const [entries, counted] = await Promise.all([
    db.execute<Entry>(sql`
      select ${entryColumns} from ${found} where ${type ? sql`entries.type = ${type}` : sql`true`}
      order by ${order} limit ${userContentPageItems + 1} offset ${(page - 1) * userContentPageItems}`),
    db.execute<UserContentPage['counts']>(sql`
      select count(*)::int as "all", count(*) filter (where entries.type = 'story')::int as story,
        count(*) filter (where entries.type = 'flow')::int as flow
      from ${found}`),
  ])
  return {
    items: await describe(db, entries.slice(0, userContentPageItems)),
    counts: counted[0] ?? { all: 0, story: 0, flow: 0 },
    hasMore: entries.length > userContentPageItems,
  }
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
  return describe(db, [...rows])
}

const recentFlowsShown = 3

/** The last narration job of an item. */
const lastJob = sql<UserContentItem['narration']>`(
  select json_build_object('state', state, 'progress', progress) from jobs
  where jobs.story_id = stories.id and jobs.kind = ${narrateKind} order by jobs.id desc limit 1)`

const itemColumns = {
  ...pick(stories, [
    ...userContentFields,
    'id',
    'slug',
    'source',
    'status',
    'audioDurationSeconds',
    'narratorFemale',
    'narratorMale',
    'wordCount',
    'updatedAt',
    'isGenerating',
    'isShared',
    'reviewNote',
  ]),
  duration: stories.minutes,
}

async function describe(db: Executor, entries: readonly Entry[]): Promise<UserContentItem[]> {
  if (entries.length === 0) return []
  const rows = await db
    .select({ ...itemColumns, voicesSpoken, lastJob })
    .from(stories)
    .where(
      inArray(
        stories.id,
        entries.map(({ storyId }) => storyId),
      ),
    )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return entries.flatMap(({ storyId, at, isOwn, challengeName, challengeDay }) => {
    const row = byId.get(storyId)
    if (!row) return []
    const { voicesSpoken, lastJob, narratorFemale, narratorMale, status, isShared, reviewNote, ...rest } = row
    const { updatedAt, ...item } = rest
    const spoken = voicesSpoken.includes(item.voice) ? item.voice : voicesSpoken[0]
    return {
      ...item,
      isOwn,
      narrator: item.voice === 'female' ? narratorFemale : narratorMale,
      audioUrl: spoken && status !== 'removed' ? urls.premiumAudio(item.id, spoken) : null,
      createdAt: at,
      updatedAt: updatedAt.toISOString(),
      isChallengeFlow: challengeName !== null,
      challengeName,
      challengeDay,
      state: isOwn ? stateOf({ status, isShared }) : null,
      narration: isOwn ? lastJob : null,
      reviewNote: isOwn ? reviewNote : null,
    }
  })
}

function stateOf({ status, isShared }: { status: Status; isShared: boolean }): OwnState {
  if (status === 'removed') return 'refused'
  if (status === 'held') return isShared ? 'waiting' : 'held'
  return isShared ? 'shared' : 'private'
}

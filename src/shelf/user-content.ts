import { inArray, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import type { OwnState } from '#src/creation/rules'
import type { UserContentItem } from '#src/creation/schema'
import { narrateKind } from '#src/narration/enqueue'
import { Refusal } from '#src/refusal'
import { readCursor, writeCursor } from '#src/story/cursor'
import { isId, type Status } from '#src/story/rules'
import { urls } from '#src/urls'

export type UserContent = { items: UserContentItem[]; nextCursor: string | null }

/**
 * What is on a member's shelf, the newest first: own items, saved ones, and the flows of the challenges that the
 * member has begun, as far as their days have come. Throws `invalid` for a cursor that is not one of ours.
 */
export async function listUserContent(
  db: Executor,
  memberId: string,
  { limit = userContentMax, cursor }: { limit?: number; cursor?: string } = {},
): Promise<UserContent> {
  const from = cursor === undefined ? null : readCursor(cursor, 'moment')
  const entries = await findEntries(
    db,
    memberId,
    from ? sql`(at, story_id) < (${from.value}::timestamptz, ${from.id}::uuid)` : sql`true`,
    limit + 1,
  )
  const shown = entries.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: await describe(db, shown),
    nextCursor: entries.length > limit && last ? writeCursor({ value: last.at, id: last.storyId }) : null,
  }
}

/** One own or saved item of a member's shelf. Throws `not_found`. */
export async function requireUserContent(
  db: Executor,
  memberId: string,
  id: string,
): Promise<UserContentItem> {
  const entries = isId(id) ? await findEntries(db, memberId, sql`story_id = ${id}`, 1) : []
  const [item] = await describe(db, entries)
  if (!item) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
  return item
}

/** A page of the shelf. */
export const userContentMax = 100

type Entry = {
  storyId: string
  /** ISO 8601, to the millisecond. */
  at: string
  isOwn: boolean
  challengeName: string | null
  challengeDay: number | null
}

async function findEntries(
  db: Executor,
  memberId: string,
  where: ReturnType<typeof sql>,
  limit: number,
): Promise<Entry[]> {
  const rows = await db.execute<Entry>(sql`
    select story_id as "storyId", to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      is_own as "isOwn", challenge_name as "challengeName", challenge_day as "challengeDay"
    from (
      select id as story_id, date_trunc('milliseconds', created_at) as at, true as is_own,
        null::text as challenge_name, null::int as challenge_day
      from stories
      where user_id = ${memberId} and source = 'user_generated' and (status <> 'removed' or review_note is not null)
      union all
      select stories.id, date_trunc('milliseconds', favorites.created_at), false, null, null
      from favorites join stories on stories.id = favorites.story_id
      where favorites.user_id = ${memberId} and stories.status = 'published'
        and (stories.source = 'pre_uploaded' or (stories.is_shared and stories.user_id is distinct from ${memberId}))
      union all
      select stories.id, date_trunc('milliseconds', enrolments.created_at), false, challenges.name, flows.day
      from challenge_enrolments as enrolments
      join challenges on challenges.id = enrolments.challenge_id
      join challenge_flows as flows on flows.challenge_id = challenges.id
      join stories on stories.id = flows.story_id
      where enrolments.user_id = ${memberId} and stories.status = 'published' and stories.source = 'pre_uploaded'
        and flows.day <= (coalesce(enrolments.paused_at, now()) at time zone enrolments.time_zone)::date - enrolments.started_on + 1
    ) as shelf
    where ${where}
    order by shelf.at desc, story_id desc limit ${limit}`)
  return [...rows]
}

/** Named in full, as in src/story/queries.ts. */
const voicesSpoken = sql<string[]>`array(
  select voice from narrations where narrations.story_id = stories.id and narrations.is_current)`

/** The last job that was to narrate an item. */
const lastJob = sql<UserContentItem['narration']>`(
  select json_build_object('state', state, 'progress', progress) from jobs
  where jobs.story_id = stories.id and jobs.kind = ${narrateKind} order by jobs.id desc limit 1)`

async function describe(db: Executor, entries: readonly Entry[]): Promise<UserContentItem[]> {
  if (entries.length === 0) return []
  const rows = await db
    .select({
      id: stories.id,
      slug: stories.slug,
      type: stories.type,
      source: stories.source,
      status: stories.status,
      title: stories.title,
      content: stories.content,
      categories: stories.categories,
      duration: stories.duration,
      audioDurationSeconds: stories.audioDurationSeconds,
      voice: stories.voice,
      narratorFemale: stories.narratorFemale,
      narratorMale: stories.narratorMale,
      wordCount: stories.wordCount,
      isGenerating: stories.isGenerating,
      isShared: stories.isShared,
      reviewNote: stories.reviewNote,
      voicesSpoken,
      lastJob,
    })
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
    const { voicesSpoken, lastJob, narratorFemale, narratorMale, status, isShared, reviewNote, ...item } = row
    const spoken = voicesSpoken.includes(item.voice) ? item.voice : voicesSpoken[0]
    return {
      ...item,
      isOwn,
      narrator: item.voice === 'female' ? narratorFemale : narratorMale,
      audioUrl: spoken && status !== 'removed' ? urls.premiumAudio(item.id, spoken) : null,
      createdAt: at,
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

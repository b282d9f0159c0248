import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { stories } from '#db/schema'
import { narrateKind } from '#src/narration/enqueue'
import { pick, recordOf } from '#src/shape/pick'
import { voicesSpoken } from '#src/story/item-row'
import { isShownTo } from '#src/story/never-shown'
import type { Status } from '#src/story/rules'
import type { NeverShown } from '#src/story/schema'
import { urls } from '#src/urls'
import type { OwnState } from '#src/user-story/rules'
import { type UserContentItem, userContentFields } from '#src/user-story/schema'

/** An item's entry in My Content. */
export type Entry = {
  storyId: string
  /** When it was added, as ISO 8601 to the millisecond. */
  at: string
  /** When it was added or last changed, in the same format. */
  changedAt: string
  /** A UUID of this entry alone: a flow has an entry for each of its days. */
  entryId: string
  isOwn: boolean
  challengeName: string | null
  challengeDay: number | null
}

/** The fields of an entry that its display depends on. */
type Shown = Omit<Entry, 'changedAt' | 'entryId'>

/** The columns of an entry that a card needs. */
export const cardColumns = sql`story_id as "storyId", ${isoText(sql`at`)} as at, is_own as "isOwn"`

export const entryColumns = sql`${cardColumns}, ${isoText(sql`changed_at`)} as "changedAt",
  entry_id as "entryId", challenge_name as "challengeName", challenge_day as "challengeDay"`

function isoText(time: SQL): SQL {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/**
 * Selects a member's own items, and saved ones that the member has not hidden since. Own items stay listed even if
 * hidden, so that they can be edited and removed. `cut`, an order and a limit of these columns, is applied to each of
 * the two kinds.
 */
export function ownAndSaved(
  memberId: string | Placeholder,
  neverShown: NeverShown | null,
  { isFound = sql`true`, cut = sql`` }: { isFound?: SQL; cut?: SQL } = {},
): SQL {
  return sql`
    (select stories.id as story_id, stories.created_at as at, stories.updated_at as changed_at, true as is_own,
      null::text as challenge_name, null::int as challenge_day, stories.type, stories.minutes as duration, stories.xmin, stories.updated_at
    from stories
    where user_id = ${memberId} and source = 'user_generated' and (status <> 'removed' or review_note is not null)
      and ${isFound} ${cut})
    union all
    (select favorites.story_id, favorites.created_at as at, greatest(favorites.created_at, stories.updated_at), false,
      null, null, stories.type, stories.minutes as duration, stories.xmin, stories.updated_at
    from favorites join stories on stories.id = favorites.story_id
    where favorites.user_id = ${memberId} and stories.status = 'published'
      and (stories.source = 'pre_uploaded' or (stories.is_shared and stories.user_id is distinct from ${memberId}))
      and ${isShownTo(neverShown) ?? sql`true`} and ${isFound} ${cut})`
}

/**
 * Selects the member's own and saved items, and the flows of their challenges. Times are to the millisecond, like those
 * of cursors.
 */
export function allEntries(memberId: string, neverShown: NeverShown | null): SQL {
  return sql`
    select story_id, date_trunc('milliseconds', at) as at, date_trunc('milliseconds', changed_at) as changed_at,
      is_own, challenge_name, challenge_day, entry_id
    from (
      select story_id, at, changed_at, is_own, challenge_name, challenge_day, story_id as entry_id
      from (${ownAndSaved(memberId, neverShown)}) as kept
      union all ${challengeFlows(memberId, neverShown)}
    ) as entries`
}

/** Selects the flows of a member's challenges for the days that are open. */
export function challengeFlows(memberId: string, neverShown: NeverShown | null): SQL {
  return sql`
    select stories.id as story_id, enrolments.created_at as at,
      greatest(enrolments.created_at, challenges.updated_at, stories.updated_at,
        (enrolments.started_on + flows.day - 1)::timestamp at time zone enrolments.time_zone) as changed_at,
      false as is_own, challenges.name as challenge_name, flows.day as challenge_day,
      md5(challenges.id::text || flows.day)::uuid as entry_id
    from challenge_enrolments as enrolments
    join challenges on challenges.id = enrolments.challenge_id and challenges.published_at is not null
    join challenge_flows as flows on flows.challenge_id = challenges.id
    join stories on stories.id = flows.story_id
    where enrolments.user_id = ${memberId} and stories.status = 'published' and stories.source = 'pre_uploaded'
      and flows.day <= (coalesce(enrolments.paused_at, now()) at time zone enrolments.time_zone)::date - enrolments.started_on + 1
      and ${isShownTo(neverShown) ?? sql`true`}`
}

/** Order of entries with the columns of `entryColumns`. */
export const newestFirst = sql`entries.at desc, story_id desc`

/** The last narration job of an item; only its author sees it. */
const lastJob = sql<UserContentItem['narration']>`case when stories.source = 'user_generated' then (
  select json_build_object('state', state, 'progress', progress) from jobs
  where jobs.story_id = stories.id and jobs.kind = ${narrateKind} order by jobs.id desc limit 1) end`

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
    'isShared',
    'reviewNote',
    'wordCount',
    'isGenerating',
    'updatedAt',
  ]),
  duration: stories.minutes,
  voicesSpoken,
  lastJob,
}

/** Queries of items by how much of their texts they read. */
const itemsQueries = recordOf(['whole', 'beginning'], (text) =>
  prepareOnce((db) => {
    const content = text === 'whole' ? stories.content : stories.preview
    return db
      .select({ ...itemColumns, content })
      .from(stories)
      .where(sql`${stories.id} = any(${sql.placeholder('storyIds')}::uuid[])`)
      .prepare('user-content')
  }),
)

/** Reads the items of entries, in their order, with their texts or the beginnings of them. */
export async function describe(
  db: Executor,
  entries: readonly Shown[],
  text: keyof typeof itemsQueries = 'whole',
): Promise<UserContentItem[]> {
  if (entries.length === 0) return []
  const storyIds = `{${entries.map(({ storyId }) => storyId).join(',')}}`
  const rows = await itemsQueries[text](db).execute({ storyIds })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return entries.flatMap((entry) => {
    const row = byId.get(entry.storyId)
    return row ? toShown(row, entry) : []
  })
}

type ItemRow = Awaited<ReturnType<ReturnType<typeof itemsQueries.whole>['execute']>>[number]

function toShown(
  {
    voicesSpoken,
    lastJob,
    narratorFemale,
    narratorMale,
    status,
    isShared,
    reviewNote,
    updatedAt,
    ...item
  }: ItemRow,
  { at, isOwn, challengeName, challengeDay }: Shown,
): UserContentItem {
  const spoken = voicesSpoken.includes(item.voice) ? item.voice : voicesSpoken[0]
  return {
    ...item,
    isOwn,
    narrator: item.voice === 'female' ? narratorFemale : narratorMale,
    audioUrl: spoken && status !== 'removed' ? urls.premiumAudio(item.id, spoken) : null,
    isChallengeFlow: challengeName !== null,
    challengeName,
    challengeDay,
    state: isOwn ? stateOf({ status, isShared }) : null,
    narration: isOwn ? lastJob : null,
    reviewNote: isOwn ? reviewNote : null,
    createdAt: at,
    updatedAt: updatedAt.toISOString(),
  }
}

function stateOf({ status, isShared }: { status: Status; isShared: boolean }): OwnState {
  if (status === 'removed') return 'refused'
  if (status === 'held') return isShared ? 'waiting' : 'held'
  return isShared ? 'shared' : 'private'
}

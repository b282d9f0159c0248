import { and, count, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { contentFlags, stories } from '#db/schema'
import { isId } from '#src/shape/id'
import { cutPage, readIdCursor } from '#src/shape/list-page'
import { isOpenToOperators, operatorTitle } from '#src/story/operator-sight'
import { excerptCharactersMax, preview } from '#src/story/rules'
import { emailRetentionDays, type FlagState, flagsLimitDefault } from './rules'
import type { ContentFlag } from './schema'

export type FlagList = { flags: ContentFlag[]; count: number; nextCursor: string | null }

/**
 * Reports, the newest first: undecided ones, unless requested otherwise. `cursor` is the last one's id. Throws
 * `invalid` for another text.
 */
export async function listFlags(
  db: Executor,
  {
    state = 'pending',
    limit = flagsLimitDefault,
    cursor,
  }: { state?: FlagState; limit?: number; cursor?: string } = {},
): Promise<FlagList> {
  const before = cursor === undefined ? undefined : lt(contentFlags.id, readIdCursor(cursor))
  const [rows, counted] = await Promise.all([
    selectFlags(db, and(isFlagIn(state), before), limit + 1),
    countFlags(db, state),
  ])
  const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id)
  return { flags: page, count: counted, nextCursor }
}

/** How many reports there are. */
async function countFlags(db: Executor, state: FlagState): Promise<number> {
  const [row] = await db.select({ flags: count() }).from(contentFlags).where(isFlagIn(state))
  return row?.flags ?? 0
}

/** One report, or null. */
export async function findFlag(db: Executor, id: string): Promise<ContentFlag | null> {
  if (!isId(id)) return null
  const [flag] = await selectFlags(db, eq(contentFlags.id, id), 1)
  return flag ?? null
}

/** A visitor's email is for sending the decision, and stored while it may be appealed. */
export async function forgetReporterEmails(db: Executor): Promise<void> {
  await db
    .update(contentFlags)
    .set({ reporterEmail: null })
    .where(
      sql`${contentFlags.reporterEmail} is not null and ${contentFlags.resolvedAt} < now() - make_interval(days => ${emailRetentionDays})`,
    )
}

/** Condition of the reports in a state. */
export function isFlagIn(state: FlagState): SQL | undefined {
  if (state === 'all') return undefined
  return state === 'pending' ? isNull(contentFlags.resolvedAt) : isNotNull(contentFlags.resolvedAt)
}

async function selectFlags(db: Executor, where: SQL | undefined, limit: number): Promise<ContentFlag[]> {
  const rows = await db
    .select({
      id: contentFlags.id,
      storyId: contentFlags.storyId,
      flagType: contentFlags.flagType,
      flagReason: contentFlags.flagReason,
      createdAt: contentFlags.createdAt,
      moderatorAction: contentFlags.moderatorAction,
      moderatorNotes: contentFlags.moderatorNotes,
      moderator: contentFlags.moderator,
      resolvedAt: contentFlags.resolvedAt,
      isByMember: sql<boolean>`${contentFlags.flaggedBy} is not null`,
      isReporterTold: sql<boolean>`(${contentFlags.reporterEmail} is not null
        or exists (select 1 from users where users.id = ${contentFlags.flaggedBy}::uuid and users.email is not null))`,
      openFlags: sql<number>`(select count(*)::int from content_flags as others
        where others.story_id = ${stories.id} and others.resolved_at is null)`,
      title: sql<string>`case when ${contentFlags.resolvedAt} is null then ${stories.title} else ${operatorTitle()} end`,
      type: stories.type,
      source: stories.source,
      slug: stories.slug,
      status: stories.status,
      isShared: stories.isShared,
      // An item that was reported once and approved is private to the member again.
      beginning: sql<string>`case when ${isOpenToOperators()} then ${stories.preview} else '' end`,
    })
    .from(contentFlags)
    .innerJoin(stories, eq(stories.id, contentFlags.storyId))
    .where(where)
    // Ids are ordered by time, and unlike timestamps they are unique.
    .orderBy(desc(contentFlags.id))
    .limit(limit)
  return rows.map(
    ({
      title,
      type,
      source,
      slug,
      status,
      isShared,
      beginning,
      isByMember,
      createdAt,
      resolvedAt,
      ...row
    }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      resolvedAt: resolvedAt?.toISOString() ?? null,
      reporter: isByMember ? ('member' as const) : ('visitor' as const),
      item: {
        title,
        type,
        source,
        slug,
        status,
        isShared,
        preview: preview(beginning, excerptCharactersMax),
      },
    }),
  )
}

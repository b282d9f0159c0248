import { and, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { reports, stories } from '#db/schema'
import { isId } from '#src/shape/id'
import { cutPage, readIdCursor } from '#src/shape/list-page'
import { isOpenToOperators, operatorTitle } from '#src/story/operator-sight'
import { excerptCharactersMax, preview } from '#src/story/rules'
import { emailRetentionDays, type ReportState, reportsLimitDefault } from './rules'
import type { ContentFlag } from './schema'

export type StoredReport = typeof reports.$inferSelect
export type ReportList = { reports: ContentFlag[]; count: number; nextCursor: string | null }

/**
 * Lists reports, the newest first; by default the undecided ones. `cursor` is the id of the last one on the previous
 * page. Throws `invalid` for any other text.
 */
export async function listReports(
  db: Executor,
  {
    state = 'pending',
    limit = reportsLimitDefault,
    cursor,
  }: { state?: ReportState; limit?: number; cursor?: string } = {},
): Promise<ReportList> {
  const before = cursor === undefined ? undefined : lt(reports.id, readIdCursor(cursor))
  const [rows, counted] = await Promise.all([
    selectReports(db, and(isReportIn(state), before), limit + 1),
    db.$count(reports, isReportIn(state)),
  ])
  const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id)
  return { reports: page, count: counted, nextCursor }
}

/** Finds one report; null if there is none. */
export async function findReport(db: Executor, id: string): Promise<ContentFlag | null> {
  if (!isId(id)) return null
  const [report] = await selectReports(db, eq(reports.id, id), 1)
  return report ?? null
}

/** Deletes visitors' emails once the decision can no longer be appealed. They are stored only to send it. */
export async function forgetReporterEmails(db: Executor): Promise<void> {
  await db
    .update(reports)
    .set({ reporterEmail: null })
    .where(
      sql`${reports.reporterEmail} is not null and ${reports.resolvedAt} < now() - make_interval(days => ${emailRetentionDays})`,
    )
}

/** Condition of the reports in a state. */
export function isReportIn(state: ReportState): SQL | undefined {
  if (state === 'all') return undefined
  return state === 'pending' ? isNull(reports.resolvedAt) : isNotNull(reports.resolvedAt)
}

async function selectReports(db: Executor, where: SQL | undefined, limit: number): Promise<ContentFlag[]> {
  const rows = await db
    .select({
      id: reports.id,
      storyId: reports.storyId,
      flagType: reports.flagType,
      flagReason: reports.flagReason,
      createdAt: reports.createdAt,
      moderatorAction: reports.moderatorAction,
      moderatorNotes: reports.moderatorNotes,
      moderator: reports.moderator,
      resolvedAt: reports.resolvedAt,
      isByMember: sql<boolean>`${reports.flaggedBy} is not null`,
      isReporterTold: sql<boolean>`(${reports.reporterEmail} is not null
        or exists (select 1 from users where users.id = ${reports.flaggedBy}::uuid and users.email is not null))`,
      openFlags: sql<number>`(select count(*)::int from content_flags as others
        where others.story_id = ${stories.id} and others.resolved_at is null)`,
      title: sql<string>`case when ${reports.resolvedAt} is null then ${stories.title} else ${operatorTitle()} end`,
      type: stories.type,
      source: stories.source,
      slug: stories.slug,
      status: stories.status,
      isShared: stories.isShared,
      // A reported item becomes private to the member again once it is approved.
      beginning: sql<string>`case when ${isOpenToOperators()} then ${stories.preview} else '' end`,
    })
    .from(reports)
    .innerJoin(stories, eq(stories.id, reports.storyId))
    .where(where)
    // Ids are ordered by time, and unlike timestamps they are unique.
    .orderBy(desc(reports.id))
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

import { asc, eq } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { reports, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { bringBack, lockTitles, removeLocked } from '#src/library/remove'
import { recordChange } from '#src/operator/audit'
import type { Services } from '#src/services'
import { isId } from '#src/shape/id'
import { libraryChanged } from '#src/story/library-changed'
import { auditTitle } from '#src/story/operator-sight'
import { tidyText } from '#src/text/tidy-text'
import { notifyDecision } from './notify'
import { findReport, type StoredReport } from './reports'
import type { ModeratorAction } from './rules'
import type { ContentFlag, Decision } from './schema'
import { type DecisionOutcome, noteForAuthor } from './statement'

type Item = Awaited<ReturnType<typeof lockItem>>

/**
 * Decides on a report. `review` marks it as being reviewed. `remove` removes the item everywhere at once and decides
 * every report on it. `approve` leaves the item published, or restores it if it was removed. The author and the
 * reporters get a statement of reasons. Throws `not_found`, and `conflict` if it is already decided or has changed
 * since it was `seen`.
 */
export async function decideReport(
  services: Pick<Services, 'db' | 'env' | 'secrets'>,
  id: string,
  { moderatorAction, moderatorNotes, seen }: Decision,
  by: string,
): Promise<ContentFlag> {
  const { db } = services
  const notes = tidyText(moderatorNotes ?? '')
  const isChanged = await db.transaction(async (tx) => {
    const { report, item, others } = await lockReport(tx, id)
    if (seen)
      requireAsSeen(report, item, {
        status: seen.status,
        resolvedAt: seen.resolvedAt === null ? null : new Date(seen.resolvedAt),
      })
    const outcome = outcomeOf(report, item, moderatorAction)
    const toDecide = outcome === 'in review' ? [report] : [report, ...findAlsoDecided(others, outcome)]
    const decision = { action: moderatorAction, notes, by, at: new Date() }
    for (const each of toDecide) await storeDecision(tx, each, decision)
    const isMoved = outcome === 'restored' || (outcome === 'removed' && item.status !== 'removed')
    const named = { ...item, title: auditTitle(item) }
    if (outcome === 'restored') await bringBack(tx, named, by)
    else if (isMoved)
      await removeLocked(tx, named, by, isOfMember(item) ? noteForAuthor(report, notes) : undefined)
    await recordChange(tx, by, {
      action: moderatorAction,
      subjectType: 'report',
      subjectId: id,
      before: { moderatorAction: report.moderatorAction, item: item.status },
      after: {
        moderatorAction,
        moderatorNotes: notes,
        outcome,
        title: named.title,
        settled: toDecide.length,
      },
    })
    const authorId = isMoved && isOfMember(item) ? item.userId : null
    if (outcome !== 'in review')
      await notifyDecision(
        { ...services, db: tx },
        { outcome, report, decided: toDecide, item, notes, authorId },
      )
    return isMoved
  })
  if (isChanged) await libraryChanged(db)
  const decided = await findReport(db, id)
  if (!decided) throw new AppError('not_found', 'There is no such report.')
  return decided
}

/**
 * Locks the item and then its reports in order, so that concurrent decisions wait for each other. Titles are locked
 * before an item that may be restored.
 */
export async function lockReport(tx: Transaction, id: string) {
  const [known] = isId(id)
    ? await tx
        .select({
          storyId: reports.storyId,
          resolvedAt: reports.resolvedAt,
          status: stories.status,
          source: stories.source,
        })
        .from(reports)
        .innerJoin(stories, eq(stories.id, reports.storyId))
        .where(eq(reports.id, id))
    : []
  if (!known) throw new AppError('not_found', 'There is no such report.')
  if (known.status === 'removed' && !isOfMember(known)) await lockTitles(tx)
  const item = await lockItem(tx, known.storyId)
  const ofItem = await tx
    .select()
    .from(reports)
    .where(eq(reports.storyId, known.storyId))
    .orderBy(asc(reports.id))
    .for('update')
  const report = ofItem.find((each) => each.id === id)
  if (!report) throw new AppError('not_found', 'There is no such report.')
  // If the item was removed meanwhile, an approval that was meant to leave it published would restore it, without the
  // lock of titles.
  if (item.status === 'removed' && known.status !== 'removed') requireAsSeen(report, item, known)
  return { report, item, others: ofItem.filter((each) => each.id !== id) }
}

async function lockItem(tx: Transaction, id: string) {
  const [item] = await tx
    .select({
      id: stories.id,
      title: stories.title,
      status: stories.status,
      source: stories.source,
      userId: stories.userId,
    })
    .from(stories)
    .where(eq(stories.id, id))
    .for('update')
  if (!item) throw new AppError('not_found', 'The item of this report is gone.')
  return item
}

function isOfMember({ source }: Pick<Item, 'source'>): boolean {
  return source === 'user_generated'
}

type Seen = Pick<StoredReport, 'resolvedAt'> & Pick<Item, 'status'>

/** Throws `conflict`, with the reason, if the report was decided meanwhile or its item was removed or restored. */
function requireAsSeen(report: StoredReport, item: Item, { resolvedAt, status }: Seen): void {
  if (report.resolvedAt?.getTime() !== resolvedAt?.getTime()) throw isDecided(report)
  if ((item.status === 'removed') !== (status === 'removed'))
    throw new AppError(
      'conflict',
      'Another operator has removed or restored this since. Check it again before you decide.',
    )
}

function isDecided({ moderator }: StoredReport): AppError {
  return new AppError('conflict', `This was already decided by ${moderator ?? 'an operator'}.`)
}

function outcomeOf(report: StoredReport, item: Item, action: ModeratorAction): DecisionOutcome | 'in review' {
  const isRemoved = item.status === 'removed'
  if (action === 'review') {
    if (report.resolvedAt) throw isDecided(report)
    return 'in review'
  }
  if (action === 'approve') {
    if (!isRemoved && report.resolvedAt && report.moderatorAction === 'approve') throw isDecided(report)
    return isRemoved ? 'restored' : 'stands'
  }
  if (isRemoved && report.resolvedAt && report.moderatorAction === 'remove') throw isDecided(report)
  return 'removed'
}

/**
 * The other reports that a decision covers: a removal decides every open report on the item, a restoration those that
 * it was removed for.
 */
function findAlsoDecided(others: readonly StoredReport[], outcome: DecisionOutcome): StoredReport[] {
  if (outcome === 'removed') return others.filter(({ resolvedAt }) => resolvedAt === null)
  if (outcome === 'stands') return []
  return others.filter(({ moderatorAction, resolvedAt }) => resolvedAt && moderatorAction === 'remove')
}

type ReportDecision = { action: ModeratorAction; notes: string; by: string; at: Date }

async function storeDecision(
  tx: Transaction,
  report: StoredReport,
  { action, notes, by, at }: ReportDecision,
) {
  await tx
    .update(reports)
    .set({
      moderatorAction: action,
      moderator: by,
      moderatorNotes: notes || (action === 'review' ? report.moderatorNotes : null),
      resolvedAt: action === 'review' ? null : at,
    })
    .where(eq(reports.id, report.id))
}

import { and, asc, eq, type SQL } from 'drizzle-orm'
import type { Executor, Transaction } from '#db/db'
import { stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { type DecisionRecord, hashOf } from '#src/guideline/decide'
import { findHolds, type Hold, isHeldBy, ruleDescriber } from '#src/guideline/holds'
import { type Guidelines, judge } from '#src/guideline/judge'
import { findGuidelines } from '#src/guideline/queries'
import { recordDecisions } from '#src/guideline/record'
import { recordChange } from '#src/operator/audit'
import type { Services } from '#src/services'
import { isId } from '#src/shape/id'
import { readInstant } from '#src/shape/read-instant'
import { endOtherTexts } from '#src/story/current-narrations'
import { libraryChanged } from '#src/story/library-changed'
import { auditTitle } from '#src/story/operator-sight'
import { tidyLine } from '#src/text/tidy-text'
import { notifyReview } from './notify-review'
import { reviewedAtOnceMax, undecidedShownMax } from './rules'
import type { BulkReview, BulkReviewed, Review } from './schema'

type Needs = Pick<Services, 'db' | 'env' | 'secrets'>

/**
 * Decides on one held item. An approved one gets its intended status, and the approval applies to this text. A refused
 * one is removed from the library, but its row stays; a member's own item that was to be shared becomes private again,
 * with the reason. Throws `not_found`, `conflict` for an item that is not held, and `changed_since` for one that was
 * changed after `readAt`.
 */
export async function reviewHeld(
  services: Needs,
  id: string,
  review: Review,
  by: string,
): Promise<{ status: string }> {
  const guidelines = await findGuidelines(services.db)
  const { status } = await decideOn(services, guidelines, id, { ...review, readAt: readAtOf(review), by })
  await libraryChanged(services.db)
  return { status }
}

/**
 * Decides on many held items: some by id, all that a rule holds, or all. At most 500 are decided per call, each in its
 * own transaction; the next call continues with the rest. An item that is approved for one rule but also held by
 * another stays held. Throws `invalid` unless exactly one of `ids`, `ruleId` and `all` is given.
 */
export async function reviewManyHeld(services: Needs, review: BulkReview, by: string): Promise<BulkReviewed> {
  const { db } = services
  const { decision, reason, ruleId } = review
  const readAt = readAtOf(review)
  const scope = scopeOf(review)
  const ids = review.ids ? [...new Set(review.ids)] : await heldIds(db, scope)
  const guidelines = await findGuidelines(db)
  const why: BulkReviewed['why'] = []
  let decided = 0
  try {
    for (const id of ids) {
      const problem = await decideOn(services, guidelines, id, { decision, reason, readAt, ruleId, by }).then(
        ({ heldBy }) => heldBy && `${heldBy} holds it too.`,
        declined,
      )
      if (problem === null) decided += 1
      else why.push({ id, message: problem })
    }
  } finally {
    if (decided > 0) await libraryChanged(db)
  }
  const remaining = review.ids ? 0 : await db.$count(stories, scope)
  return { decided, undecided: why.length, remaining, why: why.slice(0, undecidedShownMax) }
}

function readAtOf({ readAt }: Pick<Review, 'readAt'>): Date | null {
  return readAt === undefined ? null : readInstant(readAt, 'readAt')
}

/** The message of a refusal, which does not stop the decisions on the other items. Other errors are thrown. */
function declined(error: unknown): string {
  if (error instanceof AppError) return error.message
  throw error
}

function scopeOf({ ids, ruleId, all }: BulkReview): SQL | undefined {
  if ([ids, ruleId, all].filter((each) => each !== undefined).length !== 1)
    throw new AppError('invalid', 'Give exactly one of ids, ruleId and all.')
  return and(eq(stories.status, 'held'), ruleId === undefined ? undefined : isHeldBy(ruleId))
}

async function heldIds(db: Executor, scope: SQL | undefined): Promise<string[]> {
  const rows = await db
    .select({ id: stories.id })
    .from(stories)
    .where(scope)
    .orderBy(asc(stories.id))
    .limit(reviewedAtOnceMax)
  return rows.map(({ id }) => id)
}

type HeldRow = typeof stories.$inferSelect
type Decided = { status: string; heldBy: string | null }

type ReviewOfOne = Omit<Review, 'readAt'> & { readAt: Date | null; ruleId?: string; by: string }

/**
 * Decides on a held item. With a `ruleId`, an approval covers the findings of that rule only, and the item stays held
 * by other causes.
 */
async function decideOn(
  services: Needs,
  guidelines: Guidelines,
  id: string,
  { decision, reason, readAt, ruleId, by }: ReviewOfOne,
): Promise<Decided> {
  return services.db.transaction(async (tx) => {
    const item = await lockHeld(tx, id, readAt)
    const holds = (await findHolds(tx, [id])).get(id) ?? []
    const others = holds.filter((hold) => hold.ruleId !== ruleId)
    const staysHeld = decision === 'approve' && ruleId !== undefined && others.length > 0
    const records = await recordsOf(item, guidelines, holds, { decision, by })
    await recordDecisions(tx, staysHeld ? records.filter((each) => each.ruleId === ruleId) : records)
    const status = staysHeld
      ? item.status
      : await leaveQueue({ ...services, db: tx }, item, nextStatus(item, decision, reason), decision)
    await recordChange(tx, by, {
      action: decision,
      subjectType: 'item',
      subjectId: id,
      before: { status: 'held', title: auditTitle(item) },
      after: { status, ...(reason && { reason }), ...(ruleId && { ruleId }) },
    })
    return { status, heldBy: staysHeld ? await nameOf(tx, others) : null }
  })
}

/** Gives an item its decided status, and notifies its author. */
async function leaveQueue(
  services: Omit<Needs, 'db'> & { db: Transaction },
  item: HeldRow,
  next: ReturnType<typeof nextStatus>,
  decision: Review['decision'],
): Promise<string> {
  const { db } = services
  await db.update(stories).set(next).where(eq(stories.id, item.id))
  if (decision === 'approve' && item.isShared) await endOtherTexts(db, item)
  if (item.source === 'user_generated') {
    const note = ('reviewNote' in next && next.reviewNote) || null
    await notifyReview(services, item, { decision: statusWords[decision], note })
  }
  return next.status
}

const statusWords = { approve: 'approved', refuse: 'removed' } as const

/** Locks a held item. Throws if its author has changed it since an operator read it at `readAt`. */
async function lockHeld(tx: Transaction, id: string, readAt: Date | null): Promise<HeldRow> {
  const [item] = isId(id) ? await tx.select().from(stories).where(eq(stories.id, id)).for('update') : []
  if (!item) throw new AppError('not_found', 'There is no such item.')
  if (item.status !== 'held')
    throw new AppError('conflict', 'This item is not held. There is nothing to decide.')
  if (readAt && item.updatedAt > readAt)
    throw new AppError('changed_since', 'It has changed since you read it. Read it again, then decide.')
  return item
}

/** The records of a decision: one for each rule with findings, and one for each other cause of the hold. */
async function recordsOf(
  item: HeldRow,
  guidelines: Guidelines,
  holds: readonly Hold[],
  { decision, by }: { decision: Review['decision']; by: string },
): Promise<(DecisionRecord & { storyId: string })[]> {
  const common = {
    storyId: item.id,
    actor: by,
    source: 'review' as const,
    decision: statusWords[decision],
    textHash: hashOf(item),
  }
  const findings = (await judge(guidelines, item)).map(({ rule, places }) => ({
    ...common,
    ruleId: rule.id,
    ruleVersion: rule.version,
    severity: rule.severity,
    places: places.map(({ field, start, end }) => ({ field, start, end })),
  }))
  const found = new Set(findings.map(({ ruleId }) => ruleId))
  return [
    ...findings,
    ...holds.filter(({ ruleId }) => !found.has(ruleId)).map((hold) => ({ ...hold, ...common, places: [] })),
  ]
}

/** The columns of an item after a decision. */
function nextStatus(item: HeldRow, decision: Review['decision'], reason: string | undefined) {
  const next = item.heldFrom ?? ('published' as const)
  const isOwn = item.source === 'user_generated'
  if (decision === 'approve')
    return {
      status: next,
      heldFrom: null,
      reviewNote: null,
      // Others can see the item from now on.
      ...(isOwn && item.isShared && { publishedAt: new Date() }),
    }
  if (!isOwn) return { status: 'removed' as const, heldFrom: null }
  const reviewNote = tidyLine(reason ?? '') || reasonDefault
  return item.isShared
    ? { status: next, heldFrom: null, isShared: false, reviewNote }
    : { status: 'removed' as const, heldFrom: null, reviewNote }
}

const reasonDefault = 'It does not fit the content guidelines.'

async function nameOf(db: Executor, [other]: readonly Hold[]): Promise<string> {
  const describe = await ruleDescriber(db)
  return `“${describe(other?.ruleId ?? '')}”`
}

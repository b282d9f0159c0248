import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { contentGuidelines, guidelineDecisions, stories } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { readCursor, writeCursor } from '#src/story/cursor'
import { libraryChanged } from '#src/story/library-changed'
import { isId } from '#src/story/rules'
import { tidyLine } from '#src/story/tidy-text'
import { type DecisionRecord, hashOf } from './decide'
import { builtInGuidelines, judge } from './judge'
import { findGuidelines } from './queries'
import { recordDecisions } from './record'
import { tellReview } from './tell-review'

/** A page of the queue. */
export const heldLimitMax = 100
const contextCharacters = 80

/** What waits for an operator, the longest waiting first, with the rules that hold it and what stands there. */
export async function listHeld(
  db: Executor,
  { limit = heldLimitMax, cursor }: { limit?: number; cursor?: string } = {},
) {
  const from = cursor === undefined ? null : readCursor(cursor, 'moment')
  const heldAt = sql`date_trunc('milliseconds', ${stories.updatedAt})`
  const rows = await db
    .select({
      id: stories.id,
      title: stories.title,
      type: stories.type,
      source: stories.source,
      categories: stories.categories,
      heldFrom: stories.heldFrom,
      isShared: stories.isShared,
      updatedAt: stories.updatedAt,
      description: stories.description,
      excerpt: stories.excerpt,
      content: stories.content,
      tags: stories.tags,
    })
    .from(stories)
    .where(
      and(
        eq(stories.status, 'held'),
        from ? sql`(${heldAt}, ${stories.id}) > (${from.value}::timestamptz, ${from.id}::uuid)` : undefined,
      ),
    )
    .orderBy(asc(heldAt), asc(stories.id))
    .limit(limit + 1)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const decisions = await decisionsOn(
    db,
    items.map(({ id }) => id),
  )
  const descriptions = await describeRules(db)
  const held = items.map(({ description, excerpt, content, tags, ...item }) => {
    const fields: Record<string, string> = {
      title: item.title,
      description,
      excerpt,
      content,
      tags: tags.join(', '),
    }
    const textHash = hashOf({ ...item, description, excerpt, content, tags })
    return {
      ...item,
      findings: decisions
        .filter((each) => each.storyId === item.id && each.textHash === textHash)
        .map(({ ruleId, severity, decision, places }) => ({
          ruleId,
          severity,
          decision,
          description: descriptions.get(ruleId) ?? '',
          places: places.map(({ field, start, end }) => ({
            field,
            start,
            end,
            text: (fields[field] ?? '').slice(
              Math.max(0, start - contextCharacters),
              end + contextCharacters,
            ),
          })),
        })),
    }
  })
  const nextCursor =
    rows.length > limit && last ? writeCursor({ value: last.updatedAt.toISOString(), id: last.id }) : null
  return { held, nextCursor }
}

async function decisionsOn(db: Executor, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db
    .select()
    .from(guidelineDecisions)
    .where(inArray(guidelineDecisions.storyId, [...ids]))
    .orderBy(desc(guidelineDecisions.at))
}

async function describeRules(db: Executor): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: contentGuidelines.id, description: contentGuidelines.description })
    .from(contentGuidelines)
  return new Map([...rows, ...builtInGuidelines].map(({ id, description }) => [id, description]))
}

/**
 * Lets a held item go on to what it was to be. The approval holds for this text and these versions of the
 * rules. Throws `not_found`, and `conflict` for an item that is not held.
 */
export async function approveHeld(parts: Needs, id: string, by: string): Promise<{ status: string }> {
  return review(parts, id, by, 'approved')
}

/**
 * Takes a held item out of the library; its row stays. A member's own that was to be shared goes back to them, with
 * the reason. Throws `not_found` and `conflict`.
 */
export async function refuseHeld(
  parts: Needs,
  id: string,
  by: string,
  reason?: string,
): Promise<{ status: string }> {
  return review(parts, id, by, 'removed', reason)
}

type Needs = Pick<Parts, 'db' | 'env' | 'secrets'>

type HeldRow = typeof stories.$inferSelect

/** Where a reviewed item goes. */
function settled(item: HeldRow, decision: 'approved' | 'removed', reason: string | undefined) {
  const next = item.heldFrom ?? ('published' as const)
  const isOwn = item.source === 'user_generated'
  if (decision === 'approved')
    return {
      status: next,
      heldFrom: null,
      reviewNote: null,
      // Others see it from now on.
      ...(isOwn && item.isShared && { publishedAt: new Date() }),
    }
  if (!isOwn) return { status: 'removed' as const, heldFrom: null }
  const reviewNote = tidyLine(reason ?? '') || reasonDefault
  return item.isShared
    ? { status: next, heldFrom: null, isShared: false, reviewNote }
    : { status: 'removed' as const, heldFrom: null, reviewNote }
}

const reasonDefault = 'It does not fit the content guidelines.'

async function review(
  parts: Needs,
  id: string,
  by: string,
  decision: 'approved' | 'removed',
  reason?: string,
) {
  const { db } = parts
  const guidelines = await findGuidelines(db)
  const status = await db.transaction(async (tx) => {
    const [item] = isId(id) ? await tx.select().from(stories).where(eq(stories.id, id)).for('update') : []
    if (!item) throw new Refusal('not_found', 'There is no such item.')
    if (item.status !== 'held')
      throw new Refusal('conflict', 'This item is not held. There is nothing to decide.')
    const change = settled(item, decision, reason)
    const next = change.status
    await tx.update(stories).set(change).where(eq(stories.id, id))
    await recordDecisions(
      tx,
      judge(guidelines, item).map(({ rule, places }): DecisionRecord & { storyId: string } => ({
        storyId: id,
        actor: by,
        door: 'review',
        ruleId: rule.id,
        ruleVersion: rule.version,
        severity: rule.severity,
        decision,
        places: places.map(({ field, start, end }) => ({ field, start, end })),
        textHash: hashOf(item),
      })),
    )
    await recordChange(tx, by, {
      action: decision === 'approved' ? 'approve' : 'refuse',
      subjectType: 'item',
      subjectId: id,
      before: { status: 'held', title: item.title },
      after: { status: next, ...(reason && { reason }) },
    })
    const note = 'reviewNote' in change ? (change.reviewNote ?? null) : null
    if (item.source === 'user_generated') await tellReview({ ...parts, db: tx }, item, { decision, note })
    return next
  })
  await libraryChanged(db)
  return { status }
}

import { asc, desc, eq, inArray } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { contentGuidelines, guidelineDecisions, stories } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { libraryChanged } from '#src/story/library-changed'
import { isId } from '#src/story/rules'
import { type DecisionRecord, hashOf } from './decide'
import { builtInGuidelines, judge } from './judge'
import { findGuidelines } from './queries'
import { recordDecisions } from './record'

/** Longer queues are worked off from the front. */
const heldMax = 200
const contextCharacters = 80

/** What waits for an operator, the longest waiting first, with the rules that hold it and what stands there. */
export async function listHeld(db: Executor) {
  const items = await db
    .select({
      id: stories.id,
      title: stories.title,
      type: stories.type,
      source: stories.source,
      categories: stories.categories,
      heldFrom: stories.heldFrom,
      updatedAt: stories.updatedAt,
      description: stories.description,
      excerpt: stories.excerpt,
      content: stories.content,
      tags: stories.tags,
    })
    .from(stories)
    .where(eq(stories.status, 'held'))
    .orderBy(asc(stories.updatedAt), asc(stories.id))
    .limit(heldMax)
  const decisions = await decisionsOn(
    db,
    items.map(({ id }) => id),
  )
  const descriptions = await describeRules(db)
  return items.map(({ description, excerpt, content, tags, ...item }) => {
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
export async function approveHeld(db: Database, id: string, by: string): Promise<{ status: string }> {
  return review(db, id, by, 'approved')
}

/** Takes a held item out of the library; its row stays. Throws `not_found` and `conflict`. */
export async function refuseHeld(db: Database, id: string, by: string): Promise<{ status: string }> {
  return review(db, id, by, 'removed')
}

async function review(db: Database, id: string, by: string, decision: 'approved' | 'removed') {
  const guidelines = await findGuidelines(db)
  const status = await db.transaction(async (tx) => {
    const [item] = isId(id) ? await tx.select().from(stories).where(eq(stories.id, id)).for('update') : []
    if (!item) throw new Refusal('not_found', 'There is no such item.')
    if (item.status !== 'held')
      throw new Refusal('conflict', 'This item is not held. There is nothing to decide.')
    const next = decision === 'approved' ? (item.heldFrom ?? 'published') : ('removed' as const)
    await tx.update(stories).set({ status: next, heldFrom: null }).where(eq(stories.id, id))
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
      after: { status: next },
    })
    return next
  })
  await libraryChanged(db)
  return { status }
}

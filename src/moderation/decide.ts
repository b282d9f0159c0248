import { asc, eq } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { contentFlags, stories } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { libraryChanged } from '#src/story/library-changed'
import { bringBack, takeOut } from '#src/story/remove'
import { isId } from '#src/story/rules'
import { tidyText } from '#src/story/tidy-text'
import { findFlag } from './flags'
import type { ModeratorAction } from './rules'
import type { ContentFlag, Decision } from './schema'
import { noteForMaker, type Outcome } from './statement'
import { tellDecision } from './tell'

type Flag = typeof contentFlags.$inferSelect
type Item = Awaited<ReturnType<typeof lockItem>>

/**
 * Decides on a report. `review` says that somebody looks at it. `remove` takes the item out everywhere at once and
 * settles every report on it; `approve` lets it stand, and brings it back where it was removed. Maker and reporters
 * get a statement of reasons. Throws `not_found`, and `conflict` where this was decided already.
 */
export async function decideFlag(
  parts: Pick<Parts, 'db' | 'env' | 'secrets'>,
  id: string,
  { moderatorAction, moderatorNotes }: Decision,
  by: string,
): Promise<ContentFlag> {
  const { db } = parts
  const notes = tidyText(moderatorNotes ?? '')
  const isChanged = await db.transaction(async (tx) => {
    const { flag, item, others } = await lockFlag(tx, id)
    const outcome = outcomeOf(flag, item, moderatorAction)
    const settled = outcome === 'in review' ? [flag] : [flag, ...settledWith(others, outcome)]
    for (const each of settled) await settle(tx, each, moderatorAction, notes, by)
    const isMoved = outcome === 'restored' || (outcome === 'removed' && item.status !== 'removed')
    if (outcome === 'restored') await bringBack(tx, item, by)
    else if (isMoved) await takeOut(tx, item, by, isOfMember(item) ? noteForMaker(flag, notes) : undefined)
    await recordChange(tx, by, {
      action: moderatorAction,
      subjectType: 'flag',
      subjectId: id,
      before: { moderatorAction: flag.moderatorAction, item: item.status },
      after: { moderatorAction, moderatorNotes: notes, outcome, title: item.title, settled: settled.length },
    })
    const makerId = isMoved && isOfMember(item) ? item.userId : null
    if (outcome !== 'in review')
      await tellDecision({ ...parts, db: tx }, { outcome, flag, settled, item, notes, makerId })
    return isMoved
  })
  if (isChanged) await libraryChanged(db)
  const decided = await findFlag(db, id)
  if (!decided) throw new Refusal('not_found', 'There is no such report.')
  return decided
}

/** The item first, then its reports in their order: two decisions at once wait for each other. */
async function lockFlag(tx: Transaction, id: string) {
  const [known] = isId(id)
    ? await tx.select({ storyId: contentFlags.storyId }).from(contentFlags).where(eq(contentFlags.id, id))
    : []
  if (!known) throw new Refusal('not_found', 'There is no such report.')
  const item = await lockItem(tx, known.storyId)
  const flags = await tx
    .select()
    .from(contentFlags)
    .where(eq(contentFlags.storyId, known.storyId))
    .orderBy(asc(contentFlags.id))
    .for('update')
  const flag = flags.find((each) => each.id === id)
  if (!flag) throw new Refusal('not_found', 'There is no such report.')
  return { flag, item, others: flags.filter((each) => each.id !== id) }
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
  if (!item) throw new Refusal('not_found', 'The item of this report is gone.')
  return item
}

function isOfMember({ source }: Item): boolean {
  return source === 'user_generated'
}

function outcomeOf(flag: Flag, item: Item, action: ModeratorAction): Outcome | 'in review' {
  const isRemoved = item.status === 'removed'
  const decided = `This was decided by ${flag.moderator ?? 'an operator'} already.`
  if (action === 'review') {
    if (flag.resolvedAt) throw new Refusal('conflict', decided)
    return 'in review'
  }
  if (action === 'approve') {
    if (!isRemoved && flag.resolvedAt && flag.moderatorAction === 'approve')
      throw new Refusal('conflict', decided)
    return isRemoved ? 'restored' : 'stands'
  }
  if (isRemoved && flag.resolvedAt && flag.moderatorAction === 'remove')
    throw new Refusal('conflict', decided)
  return 'removed'
}

/** What is gone settles every report on it; what is back settles those that it was gone for. */
function settledWith(others: readonly Flag[], outcome: Outcome): Flag[] {
  if (outcome === 'removed') return others.filter(({ resolvedAt }) => resolvedAt === null)
  if (outcome === 'stands') return []
  return others.filter(({ moderatorAction, resolvedAt }) => resolvedAt && moderatorAction === 'remove')
}

async function settle(tx: Transaction, flag: Flag, action: ModeratorAction, notes: string, by: string) {
  await tx
    .update(contentFlags)
    .set({
      moderatorAction: action,
      moderator: by,
      moderatorNotes: notes || (action === 'review' ? flag.moderatorNotes : null),
      resolvedAt: action === 'review' ? null : new Date(),
    })
    .where(eq(contentFlags.id, flag.id))
}

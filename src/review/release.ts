import { inArray } from 'drizzle-orm'
import type { Database, Transaction } from '#db/db'
import { stories } from '#db/schema'
import { hashOf } from '#src/guideline/decide'
import { findHolds, isHeldBy, listItemIds } from '#src/guideline/holds'
import { judge } from '#src/guideline/judge'
import { findGuidelines } from '#src/guideline/queries'
import { recordDecisions } from '#src/guideline/record'
import { isHolding, isOfRule } from '#src/guideline/rules'
import { recordChange } from '#src/operator/audit'
import { createTimeSlicer } from '#src/process/time-slice'
import { libraryChanged } from '#src/story/library-changed'
import type { Status } from '#src/story/rules'
import { findKnownDecisions, isApproved } from './known-decisions'
import { type LibraryText, textsAtOnce, withLockedTexts } from './library-texts'

/**
 * Ends the holds of a withdrawn or narrowed rule on items that it no longer finds. Items without another hold return to
 * their earlier status, with their publication time; those that are due by now are published with all due items.
 * Returns how many were released. May run again after a crash.
 */
export async function releaseHeld(
  db: Database,
  ruleId: string,
  { by, signal }: { by: string; signal: AbortSignal },
): Promise<number> {
  const ids = await listItemIds(db, isHeldBy(ruleId))
  let released = 0
  for (let from = 0; from < ids.length; from += textsAtOnce) {
    signal.throwIfAborted()
    const part = ids.slice(from, from + textsAtOnce)
    const counts = await withLockedTexts(db, part, (tx, items) => releaseLocked(tx, items, ruleId, by))
    const count = counts.reduce((sum, each) => sum + each, 0)
    if (count > 0) await libraryChanged(db)
    released += count
  }
  return released
}

async function releaseLocked(
  tx: Transaction,
  items: readonly LibraryText[],
  ruleId: string,
  by: string,
): Promise<number> {
  const ended = await findEnded(tx, items, ruleId)
  await recordDecisions(
    tx,
    ended.map(({ item, hold }) => ({
      ...hold,
      actor: by,
      source: 'scan',
      decision: 'released',
      textHash: hashOf(item),
    })),
  )
  const free = ended.filter(({ isHeldOtherwise }) => !isHeldOtherwise).map(({ item }) => item)
  for (const [status, those] of Map.groupBy(free, ({ heldFrom }) => heldFrom)) {
    if (status) await moveTo(tx, those, status)
  }
  const moved = free.filter(({ heldFrom }) => heldFrom !== null).map(({ id }) => id)
  if (moved.length > 0)
    await recordChange(tx, by, {
      action: 'release',
      subjectType: 'guideline',
      subjectId: ruleId,
      after: { released: moved.length, items: moved },
    })
  return moved.length
}

async function moveTo(tx: Transaction, items: readonly LibraryText[], status: Status): Promise<void> {
  const ids = items.map(({ id }) => id)
  await tx.update(stories).set({ status, heldFrom: null }).where(inArray(stories.id, ids))
}

/** Finds the items that a rule holds and no longer finds, and whether they have other holds. */
async function findEnded(tx: Transaction, items: readonly LibraryText[], ruleId: string) {
  const ids = items.map(({ id }) => id)
  const [guidelines, holds, known] = [
    await findGuidelines(tx),
    await findHolds(tx, ids),
    await findKnownDecisions(tx, items),
  ]
  const pause = createTimeSlicer()
  const ended = []
  for (const item of items) {
    const own = holds.get(item.id) ?? []
    const findings = (await judge(guidelines, item)).filter(
      (finding) => isHolding(finding.rule.severity) && !isApproved(finding, known.get(item.id)),
    )
    await pause()
    const hold = own.find((each) => each.ruleId === ruleId)
    if (!hold || findings.some(({ rule }) => rule.id === ruleId)) continue
    ended.push({
      item,
      hold,
      isHeldOtherwise: findings.length > 0 || own.some((each) => !isOfRule(each.ruleId)),
    })
  }
  return ended
}

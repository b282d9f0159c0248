import { and, eq, ne } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { requireOn } from '#src/feature-flag/flags'
import { endHolds, holdForOperator } from '#src/guideline/holds'
import { judge } from '#src/guideline/judge'
import { findGuidelines } from '#src/guideline/queries'
import { recordDecisions } from '#src/guideline/record'
import { decisionOf } from '#src/guideline/rules'
import { moderateWithSecondOpinion } from '#src/review/second-opinion'
import type { Services } from '#src/services'
import { libraryChanged } from '#src/story/library-changed'
import { isOwn, type OwnItem, requireUserStory } from './find-own'
import { senderOf } from './sender'

/**
 * Requests that an own item be shown to others: it passes the guidelines again and waits for an operator. Requesting
 * twice changes nothing. Throws `not_found`, `guideline_blocked`, `forbidden` while sharing is off, and `conflict`
 * for a held item.
 */
export async function shareOwn(
  services: Pick<Services, 'db' | 'env' | 'log'>,
  memberId: string,
  id: string,
): Promise<void> {
  const { db } = services
  const item = await requireUserStory(db, memberId, id)
  if (item.isShared) return
  await requireOn(db, 'memberSharing', 'Nothing new is shared at the moment. It stays yours, as it is.')
  if (item.status === 'held')
    throw new AppError('conflict', 'An operator looks at this first. It can be shared once that is done.')
  const sender = senderOf(memberId, 'share')
  const { decisions } = await moderateWithSecondOpinion(services, item, sender)
  await db.transaction(async (tx) => {
    const shared = await tx
      .update(stories)
      .set({ isShared: true, status: 'held', heldFrom: 'published', reviewNote: null })
      .where(and(isOwn(memberId, id), eq(stories.status, 'published')))
      .returning({ id: stories.id })
    if (shared.length === 0) throw new AppError('conflict', 'This changed in between. Please try again.')
    await recordDecisions(
      tx,
      [...decisions, holdForOperator(item, 'sharing', sender)].map((decision) => ({
        ...decision,
        storyId: id,
      })),
    )
  })
}

/** Makes an own item private again, at once, and withdraws it from review. Throws `not_found`. */
export async function unshareOwn({ db }: Pick<Services, 'db'>, memberId: string, id: string): Promise<void> {
  const item = await requireUserStory(db, memberId, id)
  if (!item.isShared) return
  const isHeld = item.status === 'held' && (await isHeldByRule(db, item))
  await db.transaction(async (tx) => {
    if (!isHeld) await endHolds(tx, id, senderOf(memberId, 'share'))
    await tx
      .update(stories)
      .set({ isShared: false, ...(isHeld ? {} : { status: 'published', heldFrom: null }) })
      .where(and(isOwn(memberId, id), ne(stories.status, 'removed')))
  })
  await libraryChanged(db)
}

/** An item that a rule holds stays held: only the request to share it is over. */
async function isHeldByRule(db: Executor, item: OwnItem): Promise<boolean> {
  const findings = await judge(await findGuidelines(db), item)
  return findings.some(({ rule }) => decisionOf(rule.severity) !== 'warned')
}

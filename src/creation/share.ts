import { and, eq, ne } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { requireOn } from '#src/flag/flags'
import { judge } from '#src/guideline/judge'
import { findGuidelines } from '#src/guideline/queries'
import { recordDecisions } from '#src/guideline/record'
import { decisionOf } from '#src/guideline/rules'
import { admitWithOpinion } from '#src/guideline/second-opinion'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { libraryChanged } from '#src/story/library-changed'
import { senderOf } from './create'
import { isOwn, type OwnItem, requireOwn } from './find-own'

/**
 * Asks for an own item to be seen by others: it passes the guidelines again and waits for an operator. Asking
 * twice changes nothing. Throws `not_found`, `guideline_blocked`, `forbidden` while sharing is off, and `conflict`
 * for what is held already.
 */
export async function shareOwn(
  parts: Pick<Parts, 'db' | 'env' | 'log'>,
  memberId: string,
  id: string,
): Promise<void> {
  const { db } = parts
  const item = await requireOwn(db, memberId, id)
  if (item.isShared) return
  await requireOn(db, 'memberSharing', 'Nothing new is shared at the moment. It stays yours, as it is.')
  if (item.status === 'held')
    throw new Refusal('conflict', 'An operator looks at this first. It can be shared once that is done.')
  const { decisions } = await admitWithOpinion(parts, item, senderOf(memberId, 'share'))
  await db.transaction(async (tx) => {
    const shared = await tx
      .update(stories)
      .set({ isShared: true, status: 'held', heldFrom: 'published', reviewNote: null })
      .where(and(isOwn(memberId, id), eq(stories.status, 'published')))
      .returning({ id: stories.id })
    if (shared.length === 0) throw new Refusal('conflict', 'This changed in between. Please try again.')
    await recordDecisions(
      tx,
      decisions.map((decision) => ({ ...decision, storyId: id })),
    )
  })
}

/** Makes an own item private again, at once; what waited for review waits no longer. Throws `not_found`. */
export async function unshareOwn({ db }: Pick<Parts, 'db'>, memberId: string, id: string): Promise<void> {
  const item = await requireOwn(db, memberId, id)
  if (!item.isShared) return
  const isHeld = item.status === 'held' && (await isHeldByRule(db, item))
  await db
    .update(stories)
    .set({ isShared: false, ...(isHeld ? {} : { status: 'published', heldFrom: null }) })
    .where(and(isOwn(memberId, id), ne(stories.status, 'removed')))
  await libraryChanged(db)
}

/** What a rule holds stays held: only the wish to share it is over. */
async function isHeldByRule(db: Executor, item: OwnItem): Promise<boolean> {
  return judge(await findGuidelines(db), item).some(({ rule }) => decisionOf(rule.severity) !== 'warned')
}

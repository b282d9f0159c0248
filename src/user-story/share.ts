import { stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { requireOn } from '#src/feature-flag/flags'
import { endHolds, holdForOperator, isHeldForItsText } from '#src/guideline/holds'
import { recordDecisions } from '#src/guideline/record'
import { moderateWithSecondOpinion } from '#src/review/second-opinion'
import type { Services } from '#src/services'
import { libraryChanged } from '#src/story/library-changed'
import { changeJudged } from './change-judged'
import { isOwn, lockUserStory } from './find-own'
import { senderOf } from './sender'

/**
 * Requests that an own item be shown to others. It is moderated again and waits for an operator; requesting twice
 * changes nothing. Throws `not_found`, `guideline_blocked`, `forbidden` while sharing is off, and `conflict` for a held
 * item.
 */
export async function shareOwn(
  services: Pick<Services, 'db' | 'env' | 'log'>,
  memberId: string,
  id: string,
): Promise<void> {
  const { db } = services
  const sender = senderOf(memberId, 'share')
  await changeJudged(db, memberId, id, {
    judge: async (item) => {
      if (item.isShared) return null
      await requireOn(db, 'memberSharing', 'Sharing is closed at the moment. It stays yours, as it is.')
      if (item.status === 'held')
        throw new AppError('conflict', 'An operator reviews this first. It can be shared once that is done.')
      return moderateWithSecondOpinion(services, item, sender)
    },
    write: async (tx, item, text) => {
      if (!text) return
      await tx
        .update(stories)
        .set({ isShared: true, status: 'held', heldFrom: 'published', reviewNote: null })
        .where(isOwn(memberId, id))
      await recordDecisions(
        tx,
        [...text.decisions, holdForOperator(item, 'sharing', sender)].map((decision) => ({
          ...decision,
          storyId: id,
        })),
      )
    },
  })
}

/** Makes an own item private again, at once, and withdraws it from review. Throws `not_found`. */
export async function unshareOwn({ db }: Pick<Services, 'db'>, memberId: string, id: string): Promise<void> {
  const isEnded = await db.transaction(async (tx) => {
    const item = await lockUserStory(tx, memberId, id)
    if (!item.isShared) return false
    // An item that is held for its text stays held; only the request to share it ends.
    const isHeld = await isHeldForItsText(tx, item)
    if (!isHeld) await endHolds(tx, id, senderOf(memberId, 'share'))
    await tx
      .update(stories)
      .set({ isShared: false, ...(isHeld ? {} : { status: 'published', heldFrom: null }) })
      .where(isOwn(memberId, id))
    return true
  })
  if (isEnded) await libraryChanged(db)
}

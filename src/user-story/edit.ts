import { and, ne } from 'drizzle-orm'
import { stories } from '#db/schema'
import { requireUnchanged, type Seen } from '#db/unchanged'
import { AppError } from '#src/app-error'
import { hashOf } from '#src/guideline/decide'
import { endHolds, holdForOperator } from '#src/guideline/holds'
import type { ModeratedText } from '#src/guideline/moderation-gate'
import { recordDecisions } from '#src/guideline/record'
import { moderateWithSecondOpinion } from '#src/review/second-opinion'
import type { Services } from '#src/services'
import { derivedColumns } from '#src/story/derived-columns'
import { libraryChanged } from '#src/story/library-changed'
import { countWords, type Status } from '#src/story/rules'
import { readNarratedVoice } from '#src/story/voice'
import { isOwn, type OwnItem, requireUserStory } from './find-own'
import { requireLength } from './limits'
import { spokenMinutes } from './rules'
import type { UserStoryEdit } from './schema'
import { senderOf } from './sender'

/**
 * Changes a member's own item; omitted fields stay. A shared one whose text changes waits for review again. Throws
 * `not_found`, `invalid`, `changed_since` for a version that was not seen, and what `moderateText` does.
 */
export async function editUserStory(
  services: Pick<Services, 'db' | 'env' | 'log'>,
  memberId: string,
  id: string,
  { voice, seen, ...edit }: UserStoryEdit & Seen,
): Promise<{ warnings: string[] }> {
  const { db, env } = services
  const before = await requireUserStory(db, memberId, id)
  if (edit.content !== undefined) requireLength(env, edit.content)
  const after = { ...before, ...(edit.content !== undefined && { excerpt: '' }), ...edit }
  const sender = senderOf(memberId, 'edit')
  const { warnings, isHeld, decisions, ...text } = await moderateWithSecondOpinion(services, after, sender)
  const isSame = hashOf({ ...after, ...text }) === hashOf(before)
  const changed = {
    title: text.title,
    categories: after.categories,
    ...(edit.content !== undefined && {
      content: text.content,
      duration: spokenMinutes(countWords(text.content)),
    }),
    ...(voice !== undefined && { narratorFemale: null, narratorMale: null, ...readNarratedVoice(voice) }),
  }
  const held = before.isShared ? [holdForOperator({ ...after, ...text }, 'sharing', sender)] : []
  await db.transaction(async (tx) => {
    await requireUnchanged(tx, stories, id, { seen })
    if (!isSame) await endHolds(tx, id, sender)
    const updated = await tx
      .update(stories)
      .set({ ...changed, ...derivedColumns(changed), ...(!isSame && nextState(before, isHeld)) })
      .where(and(isOwn(memberId, id), ne(stories.status, 'removed')))
      .returning({ id: stories.id })
    if (updated.length === 0)
      throw new AppError('not_found', 'There is no such item. It may have been removed.')
    if (!isSame)
      await recordDecisions(
        tx,
        [...decisions, ...held].map((decision) => ({ ...decision, storyId: id })),
      )
  })
  if (before.isShared) await libraryChanged(db)
  return { warnings }
}

/**
 * A changed text is judged again: held by a rule, or, where the item is shared, until an operator has reviewed it.
 */
function nextState(
  { isShared }: OwnItem,
  isHeld: ModeratedText['isHeld'],
): { status: Status; heldFrom: Status | null; reviewNote: null } {
  return isHeld || isShared
    ? { status: 'held', heldFrom: 'published', reviewNote: null }
    : { status: 'published', heldFrom: null, reviewNote: null }
}

import { stories } from '#db/schema'
import { requireUnchanged, type Seen } from '#db/unchanged'
import { hashOf } from '#src/guideline/decide'
import { endHolds, holdForOperator } from '#src/guideline/holds'
import type { ModeratedText } from '#src/guideline/moderation-gate'
import { recordDecisions } from '#src/guideline/record'
import { holdForbidden } from '#src/review/hold-forbidden'
import { moderateWithSecondOpinion } from '#src/review/second-opinion'
import type { Services } from '#src/services'
import { derivedColumns } from '#src/story/derived-columns'
import { libraryChanged } from '#src/story/library-changed'
import { countWords, isExcerptMade, type Status } from '#src/story/rules'
import { readNarratedVoice } from '#src/story/voice'
import { changeJudged } from './change-judged'
import { isOwn, type OwnItem } from './find-own'
import { requireLength } from './limits'
import { spokenMinutes } from './rules'
import type { UserStoryEdit } from './schema'
import { senderOf } from './sender'

/**
 * Edits a member's own item; omitted fields stay. A shared one whose text changes waits for review again. Throws
 * `not_found`, `invalid`, `changed_since` if the caller has not seen the present version, and what `moderateText` does.
 */
export async function editUserStory(
  services: Pick<Services, 'db' | 'env' | 'log'>,
  memberId: string,
  id: string,
  { voice, seen, ...edit }: UserStoryEdit & Seen,
): Promise<{ warnings: string[] }> {
  const { db, env } = services
  if (edit.content !== undefined) requireLength(env, edit.content)
  const sender = senderOf(memberId, 'edit')
  const { warnings, isShared } = await changeJudged(db, memberId, id, {
    judge: async (before) => {
      const after = { ...before, ...(isExcerptMade(before) && { excerpt: '' }), ...edit }
      return { after, ...(await moderateWithSecondOpinion(services, after, sender)) }
    },
    write: async (tx, before, { after, warnings, isHeld, decisions, judgedBy, ...text }) => {
      await requireUnchanged(tx, stories, id, { seen })
      const changed = {
        title: text.title,
        categories: after.categories,
        ...(edit.content !== undefined && {
          content: text.content,
          duration: spokenMinutes(countWords(text.content)),
        }),
        ...(voice !== undefined && { narratorFemale: null, narratorMale: null, ...readNarratedVoice(voice) }),
      }
      const judged = { ...after, ...text }
      const isSame = hashOf(judged) === hashOf(before)
      if (!isSame) await endHolds(tx, id, sender)
      await tx
        .update(stories)
        .set({ ...changed, ...derivedColumns(changed, before), ...(!isSame && nextState(before, isHeld)) })
        .where(isOwn(memberId, id))
      if (!isSame) {
        const held = before.isShared ? [holdForOperator(judged, 'sharing', sender)] : []
        await recordDecisions(
          tx,
          [...decisions, ...held].map((decision) => ({ ...decision, storyId: id })),
        )
      }
      await holdForbidden(tx, [id], sender.actor, judgedBy)
      return { warnings, isShared: before.isShared }
    },
  })
  if (isShared) await libraryChanged(db)
  return { warnings }
}

/**
 * The state of an item after an edit. A changed text is judged again: it is held by a rule or, if the item is shared,
 * until an operator has reviewed it.
 */
function nextState(
  { isShared }: OwnItem,
  isHeld: ModeratedText['isHeld'],
): { status: Status; heldFrom: Status | null; reviewNote: null } {
  return isHeld || isShared
    ? { status: 'held', heldFrom: 'published', reviewNote: null }
    : { status: 'published', heldFrom: null, reviewNote: null }
}

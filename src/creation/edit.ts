import { and, ne } from 'drizzle-orm'
import { stories } from '#db/schema'
import { hashOf } from '#src/guideline/decide'
import { recordDecisions } from '#src/guideline/record'
import { admitWithOpinion } from '#src/guideline/second-opinion'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import type { AdmittedText } from '#src/story/admit-text'
import { derivedColumns } from '#src/story/derived-columns'
import { libraryChanged } from '#src/story/library-changed'
import { countWords, type Status } from '#src/story/rules'
import { readNarratedVoice } from '#src/story/voice'
import { senderOf } from './create'
import { isOwn, type OwnItem, requireOwn } from './find-own'
import { requireLength } from './limits'
import { spokenMinutes } from './rules'
import type { CreationEdit } from './schema'

/**
 * Changes a member's own item; what is left out stays. A shared one whose text changes waits for review again.
 * Throws `not_found`, `invalid`, and what `admitText` does.
 */
export async function editOwn(
  parts: Pick<Parts, 'db' | 'env' | 'log'>,
  memberId: string,
  id: string,
  { voice, ...edit }: CreationEdit,
): Promise<{ warnings: string[] }> {
  const { db, env } = parts
  const before = await requireOwn(db, memberId, id)
  if (edit.content !== undefined) requireLength(env, edit.content)
  const after = { ...before, ...(edit.content !== undefined && { excerpt: '' }), ...edit }
  const { warnings, isHeld, decisions, ...text } = await admitWithOpinion(
    parts,
    after,
    senderOf(memberId, 'edit'),
  )
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
  await db.transaction(async (tx) => {
    const updated = await tx
      .update(stories)
      .set({ ...changed, ...derivedColumns(changed), ...(!isSame && standing(before, isHeld)) })
      .where(and(isOwn(memberId, id), ne(stories.status, 'removed')))
      .returning({ id: stories.id })
    if (updated.length === 0)
      throw new Refusal('not_found', 'There is no such item. It may have been removed.')
    if (!isSame)
      await recordDecisions(
        tx,
        decisions.map((decision) => ({ ...decision, storyId: id })),
      )
  })
  if (before.isShared) await libraryChanged(db)
  return { warnings }
}

/** Another text is judged anew: held by a rule, or, where it is shared, until an operator has read it. */
function standing({ isShared }: OwnItem, isHeld: AdmittedText['isHeld']) {
  const isWaiting = isHeld || isShared
  return {
    status: isWaiting ? ('held' as const) : ('published' as const),
    heldFrom: isWaiting ? ('published' as Status) : null,
    reviewNote: null,
  }
}

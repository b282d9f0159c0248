import { and, eq, isNull } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { drafts } from '#db/schema'
import { isOn } from '#src/flag/flags'
import { findModel } from '#src/model/configuration'
import { draftStory } from '#src/model/draft'
import { recordOutcome } from '#src/model/draft-templates'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { isId } from '#src/story/rules'
import { countAttempt, forgetAttempts } from '#src/throttle'
import { senderOf } from './create'
import { draftLimit } from './limits'
import type { DraftAnswer, DraftWish } from './schema'

/**
 * A draft for a member to change, by the configured model. Counts for the day unless the model is away. Throws
 * what `draftStory` does, and `throttled`.
 */
export async function draftFor(
  parts: Pick<Parts, 'db' | 'env' | 'secrets'>,
  memberId: string,
  { discards, ...wish }: DraftWish,
  signal?: AbortSignal,
): Promise<DraftAnswer> {
  const { db, env } = parts
  if (!(await isOn(db, 'modelDrafting')))
    throw new Refusal(
      'not_configured',
      'Drafting is switched off at the moment. Writing and pasting work as always.',
    )
  if (discards) await settleDraft(db, memberId, discards, 'discarded')
  const limits = (await findModel(parts)) ? [draftLimit(env, memberId)] : []
  await countAttempt(db, limits)
  try {
    const { templateId, ...draft } = await draftStory(parts, wish, senderOf(memberId, 'draft'), signal)
    const draftId = newId()
    await db.insert(drafts).values({ id: draftId, userId: memberId, templateId })
    return { draftId, ...draft }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unavailable') await forgetAttempts(db, limits)
    throw error
  }
}

/** What came of a member's own draft, once: it feeds the score of its template. Other ids change nothing. */
export async function settleDraft(
  db: Executor,
  memberId: string,
  draftId: string,
  outcome: 'kept' | 'discarded',
): Promise<void> {
  if (!isId(draftId)) return
  const [draft] = await db
    .update(drafts)
    .set({ outcome })
    .where(and(eq(drafts.id, draftId), eq(drafts.userId, memberId), isNull(drafts.outcome)))
    .returning({ templateId: drafts.templateId })
  if (draft) await recordOutcome(db, draft.templateId, outcome)
}

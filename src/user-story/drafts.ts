import { and, eq, isNull } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { drafts } from '#db/schema'
import { AppError } from '#src/app-error'
import { isFeatureOn } from '#src/feature-flag/flags'
import { findModel } from '#src/model/configuration'
import { draftStory } from '#src/model/draft'
import { recordOutcome } from '#src/model/draft-templates'
import { consumeRateLimit, refundRateLimit } from '#src/security/rate-limit'
import type { Services } from '#src/services'
import { isId } from '#src/shape/id'
import { draftLimit } from './limits'
import type { DraftAnswer, DraftRequest } from './schema'
import { senderOf } from './sender'

/**
 * Writes a draft for a member with the configured model. It counts for the day unless the model is unavailable. Throws
 * what `draftStory` does, and `throttled`.
 */
export async function draftFor(
  services: Pick<Services, 'db' | 'env' | 'secrets'>,
  memberId: string,
  { discards, ...request }: DraftRequest,
  signal?: AbortSignal,
): Promise<DraftAnswer> {
  const { db, env } = services
  if (!(await isFeatureOn(db, 'modelDrafting')))
    throw new AppError(
      'not_configured',
      'Drafting is switched off at the moment. Writing and pasting work as always.',
    )
  if (discards) await recordDraftOutcome(db, memberId, discards, 'discarded')
  const limits = (await findModel(services)) ? [draftLimit(env, memberId)] : []
  const counted = await consumeRateLimit(db, limits)
  try {
    const { templateId, ...draft } = await draftStory(services, request, senderOf(memberId, 'draft'), signal)
    const draftId = newId()
    await db.insert(drafts).values({ id: draftId, userId: memberId, templateId })
    return { draftId, ...draft }
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') await refundRateLimit(db, counted)
    throw error
  }
}

/** Records the outcome of a member's own draft, once, for the score of its template. Does nothing for other ids. */
export async function recordDraftOutcome(
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

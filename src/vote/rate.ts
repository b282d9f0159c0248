import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { storyFeedback } from '#db/schema'
import { AppError } from '#src/app-error'
import { GuidelineError } from '#src/guideline/decide'
import { moderateText } from '#src/guideline/moderation-gate'
import { requireOpenItem } from '#src/story/require-item'
import { tidyLine } from '#src/text/tidy-text'
import { senderOf } from '#src/user-story/sender'
import { countOpinion } from './limit'
import { findRatings } from './queries'
import type { Feedback, FeedbackSums } from './schema'

/**
 * Stores a member's rating of an item that they may open, with a comment to the operators. A second rating replaces the
 * first. Omitted words stay, empty ones are deleted. Throws `not_found`, `throttled`, and `guideline_blocked` for the
 * words.
 */
export async function rateItem(
  db: Database,
  memberId: string,
  itemId: string,
  { rating, ...words }: Feedback,
): Promise<FeedbackSums> {
  await countOpinion(db, memberId)
  const { id: storyId, categories } = await requireOpenItem(db, memberId, itemId)
  const admitted = await admitWords(db, memberId, words, categories)
  const [saved] = await db
    .insert(storyFeedback)
    .values({ storyId, userId: memberId, rating, ...admitted })
    .onConflictDoUpdate({
      target: [storyFeedback.storyId, storyFeedback.userId, storyFeedback.feedbackType],
      set: { rating, ...admitted, createdAt: sql`now()` },
    })
    .returning()
  if (!saved) throw new Error('The insert returned no rating.')
  return { rating, comments: saved.comments ?? '', tags: saved.tags, ...(await findRatings(db, storyId)) }
}

type Words = Pick<Feedback, 'comments' | 'tags'>

/** Moderates a comment, like all texts. Only operators read it, so it is never held. */
async function admitWords(
  db: Database,
  memberId: string,
  { comments, tags }: Words,
  categories: readonly string[],
): Promise<Words> {
  const tidyTags = tags && [...new Set(tags.map(tidyLine))].filter(Boolean)
  if (!comments && !tidyTags?.length) return { comments, tags: tidyTags }
  const text = { title: '', content: comments, tags: tidyTags, categories }
  try {
    const { content } = await moderateText(db, text, senderOf(memberId, 'feedback'))
    return { comments: comments === undefined ? undefined : content, tags: tidyTags }
  } catch (error) {
    throw error instanceof GuidelineError ? inTheirWords(error) : error
  }
}

/** The guidelines' messages name the fields of an item; a comment is judged as its content. */
function inTheirWords(refusal: GuidelineError): AppError {
  const message = refusal.message.replace('(content,', '(comments,')
  const fields = refusal.fields?.map(({ path, message }) => ({
    path: path === 'content' ? 'comments' : path,
    message: message.replace('(content,', '(comments,'),
  }))
  return new AppError(refusal.code, message, { fields, cause: refusal })
}

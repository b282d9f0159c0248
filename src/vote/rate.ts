import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { storyFeedback } from '#db/schema'
import { senderOf } from '#src/creation/create'
import { GuidelineRefusal } from '#src/guideline/decide'
import { Refusal } from '#src/refusal'
import { admitText } from '#src/story/admit-text'
import { tidyLine } from '#src/story/tidy-text'
import { trendingChanged } from '#src/trending/kept-ranking'
import { countOpinion } from './limit'
import { requireOpenItem } from './open-item'
import { findRatings } from './queries'
import type { Feedback, FeedbackSums } from './schema'

/**
 * A member's one rating of an item that they may open, with a word to the studio; given again it changes. Words
 * that are not sent stay, empty ones go. Throws `not_found`, `throttled`, and `guideline_blocked` for the words.
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
  const [kept] = await db
    .insert(storyFeedback)
    .values({ storyId, userId: memberId, rating, ...admitted })
    .onConflictDoUpdate({
      target: [storyFeedback.storyId, storyFeedback.userId, storyFeedback.feedbackType],
      set: { rating, ...admitted, createdAt: sql`now()` },
    })
    .returning()
  if (!kept) throw new Error('The rating was not kept.')
  trendingChanged(db)
  return { rating, comments: kept.comments ?? '', tags: kept.tags, ...(await findRatings(db, storyId)) }
}

type Words = Pick<Feedback, 'comments' | 'tags'>

/** Words enter by the door that all texts enter by. Nobody but the studio reads them, so nothing is held. */
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
    const { content } = await admitText(db, text, senderOf(memberId, 'feedback'))
    return { comments: comments === undefined ? undefined : content, tags: tidyTags }
  } catch (error) {
    throw error instanceof GuidelineRefusal ? inTheirWords(error) : error
  }
}

/** The guidelines speak of an item's fields: here its text is the comment. */
function inTheirWords(refusal: GuidelineRefusal): Refusal {
  const message = refusal.message.replace('(content,', '(comments,')
  const fields = refusal.fields?.map(({ path, message: said }) => ({
    path: path === 'content' ? 'comments' : path,
    message: said.replace('(content,', '(comments,'),
  }))
  return new Refusal(refusal.code, message, { fields, cause: refusal })
}

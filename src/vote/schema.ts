import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { itemTypes, sources } from '#src/story/rules'
import {
  commentsCharactersMax,
  feedbackTagCharactersMax,
  feedbackTagsMax,
  ratingMax,
  ratingMin,
  voteTypes,
} from './rules'

/** A member's vote on an item; `none` removes it. */
export const Vote = t.Object({ voteType: oneOf(voteTypes, { examples: ['up'] }) })

export const VoteSums = t.Object({
  voteType: oneOf(voteTypes, { description: 'The vote of this member.' }),
  upvotes: t.Integer({ examples: [812] }),
  downvotes: t.Integer({ examples: [21] }),
})
export type VoteSums = t.Static<typeof VoteSums>

const rating = t.Integer({ minimum: ratingMin, maximum: ratingMax, examples: [5] })
const comments = t.String({
  maxLength: commentsCharactersMax,
  examples: ['The voice stayed with me.'],
  description: 'Read by the studio only. Without it, what was said before stays.',
})
const tags = t.Array(t.String({ maxLength: feedbackTagCharactersMax }), {
  maxItems: feedbackTagsMax,
  examples: [['The voice']],
})

/** A member's rating of an item, with a comment to the operators. */
export const Feedback = t.Object({ rating, comments: t.Optional(comments), tags: t.Optional(tags) })
export type Feedback = t.Static<typeof Feedback>

export const FeedbackSums = t.Object({
  rating,
  comments: t.String({ examples: ['The voice stayed with me.'] }),
  tags,
  averageRating: t.Number({ description: 'The mean of all ratings.', examples: [4.8] }),
  totalRatings: t.Integer({ examples: [188] }),
})
export type FeedbackSums = t.Static<typeof FeedbackSums>

/** A member's rating and comment on an item, for operators. */
export const ListedFeedback = t.Object({
  id: t.String(),
  rating: t.Union([rating, t.Null()]),
  comments: t.String(),
  tags,
  createdAt: t.String(),
})

/** A member's comment on any item, for operators. */
export const Comment = t.Object({
  ...ListedFeedback.properties,
  item: t.Object({ id: t.String(), title: t.String(), type: oneOf(itemTypes), source: oneOf(sources) }),
})
export type Comment = t.Static<typeof Comment>

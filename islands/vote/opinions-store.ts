import { useAtomValue } from 'jotai'
import { askToSignIn, isAskedToSignIn } from '#islands/member/after-sign-in'
import { api } from '#islands/runtime/api'
import { problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { orToast, toastProblem } from '#islands/runtime/or-toast'
import { useHydrated } from '#islands/runtime/use-hydrated'
import { createShownOpinions } from '#islands/vote/shown-opinions'
import { countedVote, pressedVote, type VoteType } from '#src/vote/rules'
import type { Feedback, FeedbackSums, VoteSums } from '#src/vote/schema'

const votes = createShownOpinions<VoteSums>()
const ratings = createShownOpinions<ShownRating>()

const reasonToVote = 'Votes need an account. It is free.'
const reasonToRate = 'Ratings need an account. It is free.'
const failure = { title: 'Error' }

export type ShownRating = Omit<FeedbackSums, 'rating' | 'tags'> & {
  rating: number | null
  tags: readonly string[]
}

/** Clears the opinions after a sign-in or sign-out, so that the page's own are shown. */
export function forgetOpinions(): void {
  votes.forget()
  ratings.forget()
}

/** The rated item, and whether the viewer is a member. */
type Voter = { itemId: string; isMember: boolean }

/** Returns a member's vote on an item: the shown state, and the handlers of its arrows. */
export function useVote({ itemId, isMember }: Voter, rendered: VoteSums) {
  const mark = useAtomValue(votes.shownAtom)[itemId]
  const shown = useHydrated() && mark ? mark : rendered
  return {
    votes: shown,
    press: (way: 'up' | 'down') => {
      const wanted = pressedVote(shown.voteType, way)
      if (isMember) void castVote(itemId, shown, wanted)
      else askToSignIn(() => void castVote(itemId, shown, wanted), reasonToVote)
    },
  }
}

/** Returns a member's rating of an item: the shown state, and the handlers for stars and for the form. */
export function useRating({ itemId, isMember }: Voter, rendered: ShownRating) {
  const mark = useAtomValue(ratings.shownAtom)[itemId]
  const rating = useHydrated() && mark ? mark : rendered
  return {
    rating,
    rate: (stars: number) => {
      if (!isMember) return rateAfterSignIn(itemId, { rating: stars })
      const shown = { ...rating, rating: stars }
      void orToast(() => castRating(itemId, { rating: stars }, { before: rating, shown }), failure)
    },
    /** Sends the form with its comment. Throws what the request throws. */
    send: (feedback: Feedback) => castRating(itemId, feedback, { before: rating, shown: null }),
  }
}

/** Rates once a visitor has signed in. The form is gone with its page by then, so a failure is shown in a toast. */
export function rateAfterSignIn(itemId: string, feedback: Feedback): void {
  const cast = () => castRating(itemId, feedback, { before: null, shown: null })
  askToSignIn(() => void orToast(cast, failure), reasonToRate)
}

async function castVote(itemId: string, before: VoteSums, voteType: VoteType): Promise<void> {
  const send = (signal: AbortSignal) =>
    api('POST /api/stories/:id/vote', { path: { id: itemId }, body: { voteType }, signal })
  try {
    await votes.change(itemId, { before, shown: countedVote(before, voteType), send })
  } catch (error) {
    if (!isAskedToSignIn(error, () => void castVote(itemId, before, voteType)))
      toastProblem(failure.title, problemOf(error).message)
  }
}

/** Sends a rating, shows the resulting mean, and thanks for a comment. Throws what the queue throws. */
async function castRating(
  itemId: string,
  feedback: Feedback,
  shown: { before: ShownRating | null; shown: ShownRating | null },
): Promise<void> {
  const send = (signal: AbortSignal) =>
    api('POST /api/stories/:id/feedback', { path: { id: itemId }, body: feedback, signal })
  await ratings.change(itemId, { ...shown, send, isReplaced: feedback.comments === undefined })
  if (feedback.comments !== undefined)
    emit('nocturne:toast', { kind: 'good', title: 'Thank you', description: 'The studio reads this.' })
}

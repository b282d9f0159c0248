import { atom, getDefaultStore, useAtomValue } from 'jotai'
import { askToSignIn } from '#islands/member/after-sign-in'
import { api } from '#islands/runtime/api'
import { ApiError, problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { orToast, toastProblem } from '#islands/runtime/or-toast'
import { useHydrated } from '#islands/runtime/use-hydrated'
import { countedVote, pressedVote, type VoteType } from '#src/vote/rules'
import type { Feedback, FeedbackSums, VoteSums } from '#src/vote/schema'

/** Votes and ratings given on this visit, by item: every card and page shows the same. All others are as rendered. */
const votesAtom = atom<Readonly<Record<string, VoteSums>>>({})
const ratingsAtom = atom<Readonly<Record<string, ShownRating>>>({})
const store = getDefaultStore()

const reasonToVote = 'Votes need an account. It is free.'
const reasonToRate = 'Ratings need an account. It is free.'
const failure = { title: 'Error' }

export type ShownRating = Omit<FeedbackSums, 'rating' | 'tags'> & {
  rating: number | null
  tags: readonly string[]
}

/** Clears the opinions after a sign-in or sign-out, so that those of the page are shown. */
export function forgetOpinions(): void {
  store.set(votesAtom, {})
  store.set(ratingsAtom, {})
}

/** The rated item, and whether the viewer is a member. */
type Voter = { itemId: string; isMember: boolean }

/** A member's vote on an item: the shown state, and the handlers of its arrows. */
export function useVote({ itemId, isMember }: Voter, rendered: VoteSums) {
  const mark = useAtomValue(votesAtom)[itemId]
  const votes = useHydrated() && mark ? mark : rendered
  return {
    votes,
    press: (way: 'up' | 'down') => {
      const wanted = pressedVote(votes.voteType, way)
      if (isMember) void castVote(itemId, votes, wanted)
      else askToSignIn(() => void castVote(itemId, votes, wanted), reasonToVote)
    },
  }
}

/** A member's stars for an item: the shown state, and the handler of a choice. */
export function useRating({ itemId, isMember }: Voter, rendered: ShownRating) {
  const mark = useAtomValue(ratingsAtom)[itemId]
  const rating = useHydrated() && mark ? mark : rendered
  return {
    rating,
    rate: (stars: number) => {
      if (!isMember) return rateAfterSignIn(itemId, { rating: stars })
      cacheRating(itemId, { ...rating, rating: stars })
      const cast = () =>
        castRating(itemId, { rating: stars }).catch((error) => {
          cacheRating(itemId, rating)
          throw error
        })
      void orToast(cast, failure)
    },
  }
}

/** Rates once a visitor has signed in: the form is gone with its page, so that a failure is a toast. */
export function rateAfterSignIn(itemId: string, feedback: Feedback): void {
  askToSignIn(() => void orToast(() => castRating(itemId, feedback), failure), reasonToRate)
}

/**
 * The votes in progress, by item: presses on one item are sent one after the other, and the last response is shown
 * in the end.
 */
const lines = new Map<string, Promise<void>>()

async function castVote(itemId: string, before: VoteSums, voteType: VoteType): Promise<void> {
  cacheVotes(itemId, countedVote(before, voteType))
  const mine = (lines.get(itemId) ?? Promise.resolve()).then(async () => {
    try {
      const sums = await api('POST /api/stories/:id/vote', { path: { id: itemId }, body: { voteType } })
      if (lines.get(itemId) === mine) cacheVotes(itemId, sums)
    } catch (error) {
      if (lines.get(itemId) === mine) cacheVotes(itemId, before)
      if (error instanceof ApiError && error.status === 401)
        askToSignIn(() => void castVote(itemId, before, voteType), reasonToVote)
      else showFailure(error)
    }
  })
  lines.set(itemId, mine)
  await mine
}

/** Sends a rating, shows the resulting mean, and thanks for a comment. Throws what the call throws. */
export async function castRating(itemId: string, feedback: Feedback): Promise<void> {
  cacheRating(itemId, await api('POST /api/stories/:id/feedback', { path: { id: itemId }, body: feedback }))
  if (feedback.comments !== undefined)
    emit('nocturne:toast', { kind: 'good', title: 'Thank you', description: 'The studio reads this.' })
}

function cacheVotes(itemId: string, votes: VoteSums): void {
  store.set(votesAtom, { ...store.get(votesAtom), [itemId]: votes })
}

function cacheRating(itemId: string, rating: ShownRating): void {
  store.set(ratingsAtom, { ...store.get(ratingsAtom), [itemId]: rating })
}

function showFailure(error: unknown): void {
  toastProblem(failure.title, problemOf(error).message)
}

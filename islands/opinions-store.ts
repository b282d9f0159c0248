import { atom, getDefaultStore, useAtomValue } from 'jotai'
import { ApiError, apiCall, problemOf } from '#islands/api-call'
import { emit } from '#islands/events'
import { askToSignIn } from '#islands/sign-in-wish'
import { useHydrated } from '#islands/use-hydrated'
import { urls } from '#src/urls'
import { countedVote, pressedVote, type VoteType } from '#src/vote/rules'
import type { Feedback, FeedbackSums, VoteSums } from '#src/vote/schema'

/** What was said on this visit, by item: every card and page shows the same. All others are as rendered. */
const votesAtom = atom<Readonly<Record<string, VoteSums>>>({})
const ratingsAtom = atom<Readonly<Record<string, ShownRating>>>({})
const store = getDefaultStore()

export type ShownRating = Omit<FeedbackSums, 'rating' | 'tags'> & {
  rating: number | null
  tags: readonly string[]
}

/** Somebody signed in or out: the opinions are those of the pages again. */
export function forgetOpinions(): void {
  store.set(votesAtom, {})
  store.set(ratingsAtom, {})
}

/** A member's vote on an item: what is shown, and what a press on an arrow does. */
export function useVote(itemId: string, rendered: VoteSums, isMember: boolean) {
  const mark = useAtomValue(votesAtom)[itemId]
  const votes = useHydrated() && mark ? mark : rendered
  return {
    votes,
    press: (way: 'up' | 'down') => {
      const wanted = pressedVote(votes.voteType, way)
      if (isMember) void castVote(itemId, votes, wanted)
      else askToSignIn(() => void castVote(itemId, votes, wanted))
    },
  }
}

/** A member's stars for an item: what is shown, and what choosing some does. */
export function useRating(itemId: string, rendered: ShownRating, isMember: boolean) {
  const mark = useAtomValue(ratingsAtom)[itemId]
  const rating = useHydrated() && mark ? mark : rendered
  return {
    rating,
    rate: (stars: number) => {
      if (!isMember) return askToSignIn(() => void castRating(itemId, { rating: stars }))
      keepRating(itemId, { ...rating, rating: stars })
      castRating(itemId, { rating: stars }).catch((error) => {
        keepRating(itemId, rating)
        sayFailure(error)
      })
    },
  }
}

/** Presses on one item are sent one after the other; what is shown in the end is what the last one came to. */
const lines = new Map<string, Promise<void>>()

async function castVote(itemId: string, before: VoteSums, voteType: VoteType): Promise<void> {
  keepVote(itemId, countedVote(before, voteType))
  const mine = (lines.get(itemId) ?? Promise.resolve()).then(async () => {
    try {
      const sums = await apiCall(urls.apiVote(itemId), { method: 'POST', body: { voteType } })
      if (lines.get(itemId) === mine) keepVote(itemId, sums as VoteSums)
    } catch (error) {
      if (lines.get(itemId) === mine) keepVote(itemId, before)
      if (error instanceof ApiError && error.status === 401)
        askToSignIn(() => void castVote(itemId, before, voteType))
      else sayFailure(error)
    }
  })
  lines.set(itemId, mine)
  await mine
}

/** Sends a rating and shows what it came to. Throws what the call throws. */
export async function castRating(itemId: string, feedback: Feedback): Promise<void> {
  const sums = await apiCall(urls.apiFeedback(itemId), { method: 'POST', body: feedback })
  keepRating(itemId, sums as FeedbackSums)
}

function keepVote(itemId: string, votes: VoteSums): void {
  store.set(votesAtom, { ...store.get(votesAtom), [itemId]: votes })
}

function keepRating(itemId: string, rating: ShownRating): void {
  store.set(ratingsAtom, { ...store.get(ratingsAtom), [itemId]: rating })
}

function sayFailure(error: unknown): void {
  emit('nocturne:toast', { kind: 'bad', title: 'Error', description: problemOf(error).message })
}

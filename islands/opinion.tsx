import { type FormEvent, useState } from 'react'
import { problemOf } from '#islands/api-call'
import { emit } from '#islands/events'
import { castRating, useRating, useVote } from '#islands/opinions-store'
import { askToSignIn } from '#islands/sign-in-wish'
import { RatingForm, type RatingFormProps } from '#src/vote/rating-form'
import type { VoteSums } from '#src/vote/schema'
import { VoteForm } from '#src/vote/vote-form'

export type OpinionProps = Pick<
  RatingFormProps,
  'itemId' | 'title' | 'rating' | 'comments' | 'tags' | 'averageRating' | 'totalRatings'
> & { isMember: boolean; votes: VoteSums }

/** What one thinks of an item: a vote, stars, and a word to the studio. */
export default function Opinion({ itemId, title, isMember, votes, ...given }: OpinionProps) {
  const vote = useVote(itemId, votes, isMember)
  const shown = useRating(itemId, given, isMember)
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const feedback = {
      rating: Number(form.get('rating')),
      comments: String(form.get('comments') ?? ''),
      tags: form.getAll('tags').map(String),
    }
    if (!isMember) return askToSignIn(() => void castRating(itemId, feedback))
    setFailure(undefined)
    setBusy(true)
    try {
      await castRating(itemId, feedback)
      emit('nocturne:toast', { kind: 'good', title: 'Thank you', description: 'The studio reads this.' })
    } catch (error) {
      setFailure(problemOf(error).message)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="rate-row">
      <VoteForm itemId={itemId} votes={vote.votes} onVote={vote.press} />
      <RatingForm
        itemId={itemId}
        title={title}
        {...shown.rating}
        error={failure}
        isBusy={isBusy}
        onRate={shown.rate}
        onSend={send}
      />
    </div>
  )
}

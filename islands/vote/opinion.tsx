import type { FormEvent } from 'react'
import { useSubmit } from '#islands/runtime/use-submit'
import { rateAfterSignIn, useRating, useVote } from '#islands/vote/opinions-store'
import { RatingForm, type RatingFormProps } from '#src/vote/rating-form'
import type { VoteSums } from '#src/vote/schema'
import { VoteForm } from '#src/vote/vote-form'

export type OpinionProps = Pick<
  RatingFormProps,
  'itemId' | 'title' | 'rating' | 'comments' | 'tags' | 'averageRating' | 'totalRatings'
> & { isMember: boolean; votes: VoteSums }

/** A viewer's opinion of an item: a vote, stars, and a comment to the studio. */
export default function Opinion({ itemId, title, isMember, votes, ...given }: OpinionProps) {
  const vote = useVote({ itemId, isMember }, votes)
  const shown = useRating({ itemId, isMember }, given)
  const { isBusy, problem, submit } = useSubmit()

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const feedback = {
      rating: Number(form.get('rating')),
      comments: String(form.get('comments') ?? ''),
      tags: form.getAll('tags').map(String),
    }
    if (!isMember) return rateAfterSignIn(itemId, feedback)
    void submit(() => shown.send(feedback))
  }

  return (
    <div className="rate-row">
      <VoteForm itemId={itemId} votes={vote.votes} onVote={vote.press} />
      <RatingForm
        itemId={itemId}
        title={title}
        {...shown.rating}
        error={problem?.message}
        isBusy={isBusy}
        onRate={shown.rate}
        onSend={send}
      />
    </div>
  )
}

import { useVote } from '#islands/vote/opinions-store'
import { pluralize } from '#src/text/pluralize'
import { urls } from '#src/urls'
import type { VoteSums } from '#src/vote/schema'
import { NetVotes, VoteButton } from '#src/vote/vote-form'

export type UpvoteProps = { itemId: string; title: string; isMember: boolean; votes: VoteSums; next: string }

/** The vote at the end of a ranked card: the balance, and the number of upvotes. */
export default function Upvote({ itemId, title, isMember, votes: rendered, next }: UpvoteProps) {
  const { votes, press } = useVote({ itemId, isMember }, rendered)
  return (
    <form className="votes" action={urls.voteForm(itemId)} method="post">
      <input type="hidden" name="next" value={next} />
      <VoteButton way="up" votes={votes} title={title} onVote={press} />
      <NetVotes votes={votes} />
      <span className="meta">{pluralize(votes.upvotes, 'upvote')}</span>
    </form>
  )
}

import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'
import { netVotes, pressedVote } from './rules'
import type { VoteSums } from './schema'

export type VoteFormProps = {
  itemId: string
  votes: VoteSums
  onVote?: (pressed: 'up' | 'down') => void
}

/** The up arrow, the net votes and the down arrow, as a form that works without a script. */
export function VoteForm({ itemId, votes, onVote }: VoteFormProps) {
  return (
    <form className="vote" action={urls.voteForm(itemId)} method="post" aria-label="Your vote">
      <VoteButton way="up" votes={votes} onVote={onVote} />
      <NetVotes votes={votes} />
      <VoteButton way="down" votes={votes} onVote={onVote} />
    </form>
  )
}

/** The net votes beside the arrows. */
export function NetVotes({ votes }: Pick<VoteFormProps, 'votes'>) {
  return (
    <b>
      <span className="visually-hidden">Net votes: </span>
      {netVotes(votes)}
    </b>
  )
}

const icons = { up: 'i-lucide-thumbs-up', down: 'i-lucide-thumbs-down' } as const
const pressedIcons = { up: 'i-lucide-pressed-thumbs-up', down: 'i-lucide-pressed-thumbs-down' } as const

export function VoteButton({
  way,
  votes: { voteType },
  title,
  onVote,
}: Pick<VoteFormProps, 'votes' | 'onVote'> & { way: 'up' | 'down'; title?: string }) {
  const label = way === 'up' ? 'Upvote' : 'Downvote'
  return (
    <button
      className="icon-btn"
      type="submit"
      name="voteType"
      value={pressedVote(voteType, way)}
      aria-label={title ? `${label} ${title}` : label}
      aria-pressed={voteType === way}
      onClick={
        onVote &&
        ((event) => {
          event.preventDefault()
          onVote(way)
        })
      }
    >
      <Icon name={voteType === way ? pressedIcons[way] : icons[way]} />
    </button>
  )
}

/** Closed lists and numbers of votes and ratings. Browser-safe: no imports. */

export const voteTypes = ['up', 'down', 'none'] as const
export type VoteType = (typeof voteTypes)[number]

export const ratingMin = 1
export const ratingMax = 5
/** What one may choose from: worst first, as stars stand. */
export const stars = [1, 2, 3, 4, 5] as const

export const commentsCharactersMax = 1_000
export const feedbackTagsMax = 10
export const feedbackTagCharactersMax = 40
/** What the form offers; the API takes other words too. */
export const offeredTags = ['The voice', 'The pace', 'The ending', 'Made me laugh'] as const

/** A page of what members say. */
export const commentsLimitDefault = 50
export const commentsLimitMax = 100

/** A person who changes their mind has enough of it; a script that pumps has not. */
export const opinionsAMinute = 60

/** "+425", "-3", "0": what remains of the upvotes after the downvotes. */
export function netVotes({ upvotes, downvotes }: { upvotes: number; downvotes: number }): string {
  const net = upvotes - downvotes
  return net > 0 ? `+${net.toLocaleString('en')}` : net.toLocaleString('en')
}

/** What a press on an arrow comes to: the same one again takes the vote back. */
export function pressedVote(mine: VoteType, pressed: 'up' | 'down'): VoteType {
  return mine === pressed ? 'none' : pressed
}

type Counted = { voteType: VoteType; upvotes: number; downvotes: number }

/** The sums after a member's vote became another one. */
export function countedVote({ voteType: before, upvotes, downvotes }: Counted, voteType: VoteType): Counted {
  return {
    voteType,
    upvotes: upvotes - Number(before === 'up') + Number(voteType === 'up'),
    downvotes: downvotes - Number(before === 'down') + Number(voteType === 'down'),
  }
}

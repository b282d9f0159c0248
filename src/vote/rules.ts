/** Lists of values and limits of votes and ratings. Browser-safe: no imports. */

export const voteTypes = ['up', 'down', 'none'] as const
export type VoteType = (typeof voteTypes)[number]

export const ratingMin = 1
export const ratingMax = 5
/** The values of a rating, the worst first, in the order of the stars. */
export const stars = [1, 2, 3, 4, 5] as const

export const commentsCharactersMax = 1_000
export const feedbackTagsMax = 10
export const feedbackTagCharactersMax = 40
/** The form's tags; the API accepts others too. */
export const offeredTags = ['The voice', 'The pace', 'The ending', 'Made me laugh'] as const

/** Comments on a page. */
export const commentsLimitDefault = 50
export const commentsLimitMax = 100

/** How long comments that were removed together can be restored: a mistake is noticed on the same day. */
export const commentUndoHours = 24

/** Enough for a person who changes their mind, but not for a script that inflates votes. */
export const opinionsAMinute = 60

/** "+425", "-3", "0": the upvotes minus the downvotes. */
export function netVotes({ upvotes, downvotes }: { upvotes: number; downvotes: number }): string {
  const net = upvotes - downvotes
  return net > 0 ? `+${net.toLocaleString('en')}` : net.toLocaleString('en')
}

/** The vote after an arrow was pressed; pressing the same one again removes the vote. */
export function pressedVote(mine: VoteType, pressed: 'up' | 'down'): VoteType {
  return mine === pressed ? 'none' : pressed
}

type Counted = { voteType: VoteType; upvotes: number; downvotes: number }

/** The sums after a member's vote has changed. */
export function countedVote({ voteType: before, upvotes, downvotes }: Counted, voteType: VoteType): Counted {
  return {
    voteType,
    upvotes: upvotes - Number(before === 'up') + Number(voteType === 'up'),
    downvotes: downvotes - Number(before === 'down') + Number(voteType === 'down'),
  }
}

/** The plain mean, to two decimal places. */
export function meanOf(sum: number, count: number): number {
  return count > 0 ? Math.round((sum / count) * 100) / 100 : 0
}

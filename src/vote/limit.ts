import type { Executor } from '#db/db'
import { countAttempt } from '#src/throttle'
import { opinionsAMinute } from './rules'

/** Counts one vote or rating of a member. Throws `throttled`. */
export function countOpinion(db: Executor, memberId: string): Promise<void> {
  return countAttempt(db, [
    {
      key: `opinions:${memberId}`,
      max: opinionsAMinute,
      windowSeconds: 60,
      message: 'That was a lot at once. Wait a moment and try again.',
    },
  ])
}

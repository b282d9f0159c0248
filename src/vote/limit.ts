import type { Executor } from '#db/db'
import { consumeRateLimit } from '#src/security/rate-limit'
import { opinionsAMinute } from './rules'

/** Counts one vote or rating of a member against the rate limit. Throws `throttled`. */
export async function countOpinion(db: Executor, memberId: string): Promise<void> {
  await consumeRateLimit(db, [
    {
      key: `opinions:${memberId}`,
      max: opinionsAMinute,
      windowSeconds: 60,
      message: 'That was a lot at once. Wait a moment and try again.',
    },
  ])
}

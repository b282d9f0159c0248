import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { contentFlags, stories } from '#db/schema'
import { isFlagIn } from './flags'

/** What waits for an operator's decision: texts that are held, and reports. */
export async function countWaiting(db: Executor): Promise<{ held: number; reports: number }> {
  const [held, reports] = await Promise.all([
    db.$count(stories, eq(stories.status, 'held')),
    db.$count(contentFlags, isFlagIn('pending')),
  ])
  return { held, reports }
}

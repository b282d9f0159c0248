import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { reports, stories } from '#db/schema'
import { isReportIn } from './reports'

/** Counts what waits for an operator's decision: held texts and reports. */
export async function countWaiting(db: Executor): Promise<{ held: number; reports: number }> {
  const [held, waiting] = await Promise.all([
    db.$count(stories, eq(stories.status, 'held')),
    db.$count(reports, isReportIn('pending')),
  ])
  return { held, reports: waiting }
}

import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { jobs } from '#db/schema'
import { notifyWorkers } from '#src/job/notify-workers'
import { priorities } from '#src/job/rules'
import type { Caller } from '#src/request/caller'
import { consumeRateLimit } from '#src/security/rate-limit'
import { narrateKind } from '../enqueue'
import { prioritizedMax } from '../rules'
import { findAudioFor, missingAudio } from './may-hear'

/**
 * Raises the priority of a queued or running narration above the background jobs, because a caller who may hear it is
 * waiting for it. Queues nothing. Returns `ready` if the narration exists. Throws like `audioFor`, `not_found` also if
 * no narration is queued, and `throttled`.
 */
export async function prioritizeNarration(
  db: Executor,
  caller: Caller,
  storyId: string,
  voice: string,
): Promise<'ready' | 'waiting'> {
  if (await findAudioFor(db, caller, storyId, voice)) return 'ready'
  await consumeRateLimit(db, [
    {
      key: `prioritize:${caller.addressHash}`,
      max: prioritizedMax,
      windowSeconds: 600,
      message: 'Too many narrations were requested from here. Wait a moment and try again.',
    },
  ])
  const waiting = await db
    .update(jobs)
    .set({
      priority: sql`case when ${jobs.priority} >= ${priorities.background}::int then ${priorities.listener}::int else ${jobs.priority} end`,
    })
    .where(
      and(
        eq(jobs.kind, narrateKind),
        eq(jobs.storyId, storyId),
        inArray(jobs.state, ['queued', 'running']),
        sql`${jobs.payload}->>'voice' = ${voice}`,
      ),
    )
    .returning({ id: jobs.id })
  if (waiting.length === 0) throw missingAudio()
  notifyWorkers()
  return 'waiting'
}

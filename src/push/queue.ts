import { and, eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { jobs, pushDevices, userSettings } from '#db/schema'
import { enqueue } from '#src/job/enqueue'
import type { QueuedPush } from './deliver'
import { type PushTopic, pushAttemptsMax, sentRetentionHours } from './rules'

export const pushKind = 'push'

/**
 * Queues a notification for each browser of a member with notifications on. If one about the same thing is still
 * queued, perhaps overnight, no second one is.
 */
export async function queuePush(
  db: Executor,
  userId: string,
  news: { topic: PushTopic; path: string },
): Promise<void> {
  const devices = await db
    .select({ id: pushDevices.id })
    .from(pushDevices)
    .innerJoin(userSettings, eq(userSettings.userId, pushDevices.userId))
    .where(and(eq(pushDevices.userId, userId), eq(userSettings.pushNotifications, true)))
  for (const { id } of devices) {
    const payload: QueuedPush = { deviceId: id, ...news }
    await enqueue(db, {
      kind: pushKind,
      dedupeKey: `${id} ${news.topic} ${news.path}`,
      payload,
      attemptsMax: pushAttemptsMax,
    })
  }
}

/** Removes notifications that were sent a day ago. */
export async function prunePushes(db: Executor): Promise<void> {
  await db
    .delete(jobs)
    .where(
      sql`${jobs.kind} = ${pushKind} and ${jobs.state} = 'done' and ${jobs.finishedAt} < now() - make_interval(hours => ${sentRetentionHours})`,
    )
}

import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { type JobHandler, willTryAgain } from '#src/job/run-job'
import { notifyMember } from '#src/notification/notify-member'
import type { Services } from '#src/services'
import { urls } from '#src/urls'

type Needs = Pick<Services, 'env' | 'secrets'> & { db: Executor }

/**
 * Notifies the member who created an item that its narration is ready or has failed. Library items have no such member.
 */
export async function notifyMaker(
  services: Needs,
  storyId: string,
  outcome: 'ready' | 'failed',
): Promise<void> {
  const { db, env } = services
  const [item] = await db
    .select({ title: stories.title, source: stories.source, userId: stories.userId })
    .from(stories)
    .where(eq(stories.id, storyId))
  if (!item?.userId || item.source !== 'user_generated') return
  const what =
    outcome === 'ready'
      ? `“${item.title}” is narrated. You can hear it now:`
      : `“${item.title}” could not be narrated. Your text is safe, and trying again is free:`
  await notifyMember(services, item.userId, {
    notice: { topic: 'narration', path: urls.myContent() },
    mail: {
      subject: 'About your narration',
      text: `Hello,\n\n${what}\n${env.publicUrl}${urls.myContent()}\n\n${env.siteName}`,
    },
  })
}

/** Wraps a job handler so that it notifies the creator of an item when the last attempt has failed. */
export function notifyingOfFailure(services: Needs, narrate: JobHandler): JobHandler {
  return async (job, control) => {
    try {
      return await narrate(job, control)
    } catch (error) {
      const isOver = !control.signal.aborted && !willTryAgain(job, error)
      if (isOver && job.storyId !== null) await notifyMaker(services, job.storyId, 'failed')
      throw error
    }
  }
}

import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { type JobHandler, willTryAgain } from '#src/job/worker'
import { tellMember } from '#src/member/tell-member'
import type { Parts } from '#src/parts'
import { urls } from '#src/urls'

type Needs = Pick<Parts, 'env' | 'secrets'> & { db: Executor }

/** Tells the member who made an item that it can be heard, or not; the library's own items are nobody's. */
export async function tellMaker(parts: Needs, storyId: string, outcome: 'ready' | 'failed'): Promise<void> {
  const { db, env } = parts
  const [item] = await db
    .select({ title: stories.title, source: stories.source, userId: stories.userId })
    .from(stories)
    .where(eq(stories.id, storyId))
  if (!item?.userId || item.source !== 'user_generated') return
  const what =
    outcome === 'ready'
      ? `“${item.title}” is narrated. You can hear it now:`
      : `The voice could not speak “${item.title}”. Your text is kept, and trying again is free:`
  await tellMember(parts, item.userId, {
    notice: { topic: 'narration', path: urls.myContent() },
    letter: {
      subject: 'About your narration',
      text: `Hello,\n\n${what}\n${env.publicUrl}${urls.myContent()}\n\n${env.siteName}`,
    },
  })
}

/** The same handler of jobs, that tells the maker of an item once no further try will be made. */
export function tellingOfFailure(parts: Needs, narrate: JobHandler): JobHandler {
  return async (job, control) => {
    try {
      return await narrate(job, control)
    } catch (error) {
      const isOver = !control.signal.aborted && !willTryAgain(job, error)
      if (isOver && job.storyId !== null) await tellMaker(parts, job.storyId, 'failed')
      throw error
    }
  }
}

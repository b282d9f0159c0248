import { and, inArray } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { jobs } from '#db/schema'
import { listJobs } from '#src/job/queries'
import { narrateKind } from '#src/narration/enqueue'
import { enhanceKind } from '#src/script/enhance-job'

/**
 * Finds the job of an item that the studio shows: the newest script or narration job that waits or runs. Null if there
 * is none.
 */
export async function findStudioJob(db: Executor, storyId: string) {
  const isOpen = and(
    inArray(jobs.kind, [enhanceKind, narrateKind]),
    inArray(jobs.state, ['queued', 'running']),
  )
  const [job] = await listJobs(db, { storyId, limit: 1, where: isOpen })
  return job ?? null
}

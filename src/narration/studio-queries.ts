import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { audioFiles, jobs, narrations } from '#db/schema'
import { listJobs } from '#src/job/queries'
import { narrateKind } from '#src/narration/enqueue'
import { enhanceKind } from '#src/script/enhance-job'

/** The current narrations of an item, one a voice. */
export function listCurrentNarrations(db: Executor, storyId: string) {
  return db
    .select({
      voice: narrations.voice,
      narrator: narrations.narrator,
      provider: narrations.provider,
      costUsd: narrations.costUsd,
      createdAt: narrations.createdAt,
      sizeBytes: audioFiles.sizeBytes,
      durationSeconds: audioFiles.durationSeconds,
    })
    .from(narrations)
    .innerJoin(audioFiles, eq(audioFiles.hash, narrations.audioHash))
    .where(and(eq(narrations.storyId, storyId), eq(narrations.isCurrent, true)))
    .orderBy(desc(narrations.createdAt))
}
export type CurrentNarration = Awaited<ReturnType<typeof listCurrentNarrations>>[number]

/**
 * The present job of an item in the studio: the newest script or narration that waits or runs; null where there is
 * none.
 */
export async function findStudioJob(db: Executor, storyId: string) {
  const isOpen = and(
    inArray(jobs.kind, [enhanceKind, narrateKind]),
    inArray(jobs.state, ['queued', 'running']),
  )
  const [job] = await listJobs(db, { storyId, limit: 1, where: isOpen })
  return job ?? null
}

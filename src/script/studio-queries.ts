import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { audioFiles, jobs, narrations } from '#db/schema'
import { listJobs } from '#src/job/queries'
import { narrateKind } from '#src/narration/enqueue'
import { enhanceKind } from './enhance-job'

/** The narrations of an item that are heard now, a voice each. */
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

/** What the studio is at for an item: the newest script or narration that waits or runs; null where nothing does. */
export async function findStudioJob(db: Executor, storyId: string) {
  const isOpen = and(
    inArray(jobs.kind, [enhanceKind, narrateKind]),
    inArray(jobs.state, ['queued', 'running']),
  )
  const [job] = await listJobs(db, { storyId, limit: 1, where: isOpen })
  return job ?? null
}

import { inArray, sql } from 'drizzle-orm'
import { importDraftFiles, importDrafts } from '#db/schema'
import { removeUnusedAudio } from '#src/audio-file/store'
import { draftRetentionDays } from '#src/import/rules'
import type { Services } from '#src/services'
import { stagedLeftSeconds } from '#src/storage/staging'

/** Removes imports that were discarded or have not changed for a week, and the audio that only they named. */
export async function tidyDrafts({ db, storage }: Pick<Services, 'db' | 'storage'>): Promise<void> {
  const over = await db
    .select({ id: importDrafts.id })
    .from(importDrafts)
    .where(
      sql`((state = 'discarded' and updated_at < now() - make_interval(secs => ${stagedLeftSeconds}))
        or updated_at < now() - make_interval(days => ${draftRetentionDays}))
        and not exists (select 1 from jobs where jobs.id = import_drafts.job_id and jobs.state in ('queued', 'running'))`,
    )
    .limit(100)
  if (over.length === 0) return
  const ids = over.map(({ id }) => id)
  const files = await db
    .selectDistinct({ hash: importDraftFiles.hash, extension: importDraftFiles.extension })
    .from(importDraftFiles)
    .where(inArray(importDraftFiles.draftId, ids))
  await db.delete(importDrafts).where(inArray(importDrafts.id, ids))
  for (const { hash, extension } of files) {
    if (hash && extension) await removeUnusedAudio({ db, storage }, { hash, extension })
  }
}

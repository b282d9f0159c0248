import { inArray, sql } from 'drizzle-orm'
import { importDraftFiles, importDrafts } from '#db/schema'
import { draftKeptDays } from '#src/import/rules'
import { stagedLeftSeconds } from '#src/narration/staging'
import { hasRow } from '#src/narration/sweep'
import type { Parts } from '#src/parts'

/**
 * Removes imports that were thrown away or that nobody has touched for a week, and the audio that only they
 * named. Audio that was written in the last hour is left to the sweep: somebody may be about to name it.
 */
export async function tidyDrafts({ db, storage }: Pick<Parts, 'db' | 'storage'>): Promise<void> {
  const over = await db
    .select({ id: importDrafts.id })
    .from(importDrafts)
    .where(
      sql`((state = 'discarded' and updated_at < now() - make_interval(secs => ${stagedLeftSeconds}))
        or updated_at < now() - make_interval(days => ${draftKeptDays}))
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
    if (!hash || !extension || (await hasRow(db, { hash }))) continue
    const found = await storage.find({ hash, extension })
    if (found && Date.now() - found.modifiedAt.getTime() > stagedLeftSeconds * 1_000)
      await storage.remove({ hash, extension })
  }
}

import { eq, sql } from 'drizzle-orm'
import * as t from 'typebox'
import { Value } from 'typebox/value'
import type { Database, Executor } from '#db/db'
import { importDraftFiles, importDrafts } from '#db/schema'
import { requireUnchanged, type Seen } from '#db/unchanged'
import { AppError } from '#src/app-error'
import type { CheckedFile } from '#src/import/check-file'
import { importRows, type RowImportOptions } from '#src/import/import-rows'
import type { ImportResult } from '#src/import/request'
import { problemsListedMax } from '#src/import/rules'
import { enqueue } from '#src/job/enqueue'
import { holdLease } from '#src/job/lease'
import { notifyWorkers } from '#src/job/notify-workers'
import { priorities } from '#src/job/rules'
import type { JobHandler } from '#src/job/run-job'
import type { Services } from '#src/services'
import type { AudioStorage } from '#src/storage/storage'
import { pluralize } from '#src/text/pluralize'
import { lockDraft, lockOpenDraft } from './change'
import { findDraft } from './find'
import { readDraftFiles, readDraftRows } from './read'
import type { ApplyOptions, ImportOutcome } from './schema'

export const importKind = 'import'
const Payload = t.Object({
  draftId: t.String(),
  fileName: t.String(),
  by: t.String(),
  strict: t.Boolean(),
  narrate: t.Boolean(),
})
type Payload = t.Static<typeof Payload>

/**
 * Queues the job that applies an import and returns its id. While such a job runs, returns the id of that one. Throws
 * `invalid` without a sheet, `conflict` while files have not been sent or once the import is done, `changed_since` for
 * a version that the operator has not seen, and `not_found`.
 */
export async function applyDraft(
  db: Database,
  id: string,
  owner: string,
  { strict = false, narrate = false, seen }: ApplyOptions & Seen,
): Promise<string> {
  const jobId = await db.transaction(async (tx) => {
    // If the button is pressed in two tabs at once, the second request finds the job of the first.
    await lockDraft(tx, id)
    const { state, job, fileName } = await findDraft(tx, id, owner)
    if (state === 'running' && job) return job.id
    await requireUnchanged(tx, importDrafts, id, { seen })
    await lockOpenDraft(tx, id, owner)
    if (fileName === null)
      throw new AppError('invalid', 'Please select an Excel/CSV file', {
        fields: [{ path: 'excel', message: 'Missing file' }],
      })
    refuseWaiting((await readDraftFiles(tx, id)).waiting)
    const payload: Payload = { draftId: id, fileName, by: owner, strict, narrate }
    const made = await enqueue(tx, { kind: importKind, dedupeKey: id, payload, priority: priorities.now })
    await tx.update(importDrafts).set({ jobId: made }).where(eq(importDrafts.id, id))
    return made
  })
  // Only the commit makes the job visible: a worker that was notified earlier did not see it.
  notifyWorkers()
  return jobId
}

/**
 * Applies a draft. The import, its outcome and the end of the draft are one transaction, which a cancelled or lost job
 * never commits. A job that runs again after a crash returns the earlier outcome.
 */
export function importHandler(services: Pick<Services, 'db' | 'storage'>): JobHandler {
  const { db, storage } = services
  return async (job, { signal, progress }): Promise<ImportOutcome> => {
    const { draftId, fileName, by, strict, narrate } = Value.Decode(Payload, job.payload)
    progress(0)
    const [draft] = await db.select().from(importDrafts).where(eq(importDrafts.id, draftId))
    if (draft?.state === 'applied') return draft.outcome as ImportOutcome
    if (draft?.state !== 'open') throw new AppError('not_found', 'This import was discarded.')

    const [rows, { files, waiting }] = await Promise.all([
      readDraftRows(db, draftId),
      readDraftFiles(db, draftId),
    ])
    refuseWaiting([...waiting, ...(await forgetMissing(db, storage, draftId, files))])
    const onProgress = (step: keyof typeof shares, done: number, total: number) => {
      signal.throwIfAborted()
      const [from, to] = shares[step]
      progress(from + (to - from) * (total > 0 ? done / total : 1))
    }
    const finish = async (tx: Executor, result: ImportResult) => {
      signal.throwIfAborted()
      await holdLease(tx, job)
      await tx
        .update(importDrafts)
        .set({
          state: 'applied',
          importId: result.batchId,
          outcome: sql`${JSON.stringify(outcomeOf(result))}::jsonb`,
        })
        .where(eq(importDrafts.id, draftId))
    }
    const options: RowImportOptions = {
      ...{ isDryRun: false, strict, narrate: narrate ? 'all' : 'none' },
      ...{ onProgress, finish },
    }
    const { result } = await importRows(services, { fileName, rows, files }, options, by)
    if (!result) throw new Error('An import that is no dry run has a result.')
    return outcomeOf(result)
  }
}

/** Each step's share of the progress, measured with 1,000 rows and 200 MP3s. */
const shares = { 'checking audio': [0, 0.05], reading: [0.05, 0.25], writing: [0.25, 1] } as const

function refuseWaiting(waiting: readonly string[]): void {
  if (waiting.length === 0) return
  const names = waiting.slice(0, 3).join(', ')
  throw new AppError(
    'conflict',
    `${pluralize(waiting.length, 'file has', 'files have')} not been sent: ${names}${waiting.length > 3 ? ', …' : ''}. Send ${waiting.length === 1 ? 'it' : 'them'}, or leave ${waiting.length === 1 ? 'it' : 'them'} out.`,
  )
}

/**
 * Marks audio whose stored file is gone as not sent, since a row must never exist without its file. Returns the names.
 */
async function forgetMissing(
  db: Database,
  storage: AudioStorage,
  draftId: string,
  files: readonly CheckedFile[],
): Promise<string[]> {
  const gone: string[] = []
  for (const file of files) {
    if (file.kind !== 'audio' || (await storage.find(file.audio))) continue
    gone.push(file.fileName)
    await db
      .update(importDraftFiles)
      .set({ state: 'waiting', hash: null })
      .where(sql`draft_id = ${draftId} and file_name = ${file.fileName}`)
  }
  return gone
}

function outcomeOf({ batchId, plan, warnings }: ImportResult): ImportOutcome {
  const { create, update, same, problem, empty, matchedAudio } = plan.counts
  return {
    batchId,
    isUndone: false,
    created: create,
    changed: update,
    same,
    failed: problem,
    empty,
    matchedAudio,
    unmatchedAudio: plan.unmatchedAudio.slice(0, problemsListedMax),
    warnings: warnings.slice(0, problemsListedMax),
  }
}

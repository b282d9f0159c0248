import { and, count, eq, inArray, ne } from 'drizzle-orm'
import { newId, nextUpdatedAt } from '#db/columns'
import type { Database, Executor } from '#db/db'
import { importDraftRows, importDrafts, jobs } from '#db/schema'
import { AppError } from '#src/app-error'
import { readSheet } from '#src/import/read-sheet'
import { fittingChoices, refuseUnknown } from '#src/import/rows/choose-sheets'
import type { SheetChoices } from '#src/import/rows/sheet-schema'
import { draftsOpenMax } from '#src/import/rules'
import { isId } from '#src/shape/id'
import { missing } from './find'
import { viewSheet } from './view-sheet'

/** Begins an import and returns its id. Throws `conflict` if the operator has too many open ones. */
export async function openDraft(db: Database, owner: string): Promise<string> {
  const open = await db.$count(
    importDrafts,
    and(eq(importDrafts.owner, owner), eq(importDrafts.state, 'open')),
  )
  if (open >= draftsOpenMax)
    throw new AppError(
      'conflict',
      `You have ${open} unfinished imports. Finish or discard some of them first.`,
    )
  const id = newId()
  await db.insert(importDrafts).values({ id, owner })
  return id
}

/** Throws `not_found`, or `conflict` if the import is being applied or is done. */
export async function requireOpen(db: Executor, id: string, owner: string): Promise<void> {
  const [draft] = isId(id)
    ? await db
        .select({ state: importDrafts.state, jobState: jobs.state })
        .from(importDrafts)
        .leftJoin(jobs, eq(jobs.id, importDrafts.jobId))
        .where(
          and(eq(importDrafts.id, id), eq(importDrafts.owner, owner), ne(importDrafts.state, 'discarded')),
        )
    : []
  if (!draft) throw missing()
  if (draft.state === 'applied')
    throw new AppError('conflict', 'This import is finished. Start a new one for other files.')
  if (draft.jobState === 'queued' || draft.jobState === 'running')
    throw new AppError('conflict', 'This import is running. Wait for it to finish, or cancel it.')
}

/** Like `requireOpen`, and locks the draft until the transaction ends. Gives the draft a new version. */
export async function lockOpenDraft(tx: Executor, id: string, owner: string): Promise<void> {
  await lockDraft(tx, id)
  await requireOpen(tx, id, owner)
  await tx.update(importDrafts).set({ updatedAt: nextUpdatedAt }).where(eq(importDrafts.id, id))
}

export async function lockDraft(tx: Executor, id: string): Promise<void> {
  if (!isId(id)) throw missing()
  await tx.select({ id: importDrafts.id }).from(importDrafts).where(eq(importDrafts.id, id)).for('update')
}

/**
 * Reads a sheet and stores it in the draft, replacing an earlier one. Throws `invalid` with the fix if it cannot be
 * read, `not_found`, and `conflict`.
 */
export async function putSheet(
  db: Database,
  id: string,
  owner: string,
  sheet: { path: string; fileName: string },
): Promise<void> {
  const { rows, ...found } = await readSheet(sheet.path, sheet.fileName)
  await db.transaction(async (tx) => {
    await lockOpenDraft(tx, id, owner)
    const [before] = await tx
      .select({ choices: importDrafts.choices })
      .from(importDrafts)
      .where(eq(importDrafts.id, id))
    // Choices that still fit the corrected sheet are retained.
    const choices = fittingChoices(found.sheets, before?.choices ?? {})
    await tx.delete(importDraftRows).where(eq(importDraftRows.draftId, id))
    for (let from = 0; from < rows.length; from += 500)
      await tx.insert(importDraftRows).values(
        rows.slice(from, from + 500).map(({ row, ...raw }, at) => ({
          ...{ draftId: id, row: from + at + 1, sheetRow: row },
          ...raw,
        })),
      )
    await tx
      .update(importDrafts)
      .set({ fileName: sheet.fileName, found, choices, rowCount: viewSheet(found, choices).rowCount })
      .where(eq(importDrafts.id, id))
  })
}

/**
 * Stores the choice of sheets and columns, replacing the earlier choice. Throws `invalid` if there is no such sheet or
 * column, `not_found`, and `conflict`.
 */
export async function putChoices(
  db: Database,
  id: string,
  owner: string,
  choices: SheetChoices,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOpenDraft(tx, id, owner)
    const [draft] = await tx
      .select({ found: importDrafts.found })
      .from(importDrafts)
      .where(eq(importDrafts.id, id))
    if (!draft?.found) throw new AppError('invalid', 'Send the sheet before you choose from it.')
    refuseUnknown(draft.found.sheets, choices)
    const { rowCount } = viewSheet(draft.found, choices)
    await tx.update(importDrafts).set({ choices, rowCount }).where(eq(importDrafts.id, id))
  })
}

/** Discards an import. Applied items stay. Throws `not_found`, and `conflict` while the import runs. */
export async function discardDraft(db: Database, id: string, owner: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (!isId(id)) throw missing()
    const [draft] = await tx
      .select({ id: importDrafts.id, jobId: importDrafts.jobId })
      .from(importDrafts)
      .where(and(eq(importDrafts.id, id), eq(importDrafts.owner, owner), ne(importDrafts.state, 'discarded')))
      .for('update')
    if (!draft) throw missing()
    const [running] = draft.jobId
      ? await tx
          .select({ jobs: count() })
          .from(jobs)
          .where(and(eq(jobs.id, draft.jobId), inArray(jobs.state, ['queued', 'running'])))
      : []
    if (running?.jobs)
      throw new AppError('conflict', 'This import is running. Wait for it to finish, or cancel it.')
    await tx.update(importDrafts).set({ state: 'discarded' }).where(eq(importDrafts.id, id))
  })
}

import { asc, eq } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { importDraftFiles, importDraftRows, importDrafts } from '#db/schema'
import type { CheckedFile } from '#src/import/check-file'
import { chooseRows, type SourceRow } from '#src/import/rows/choose-rows'
import { foundOf, rawRowColumns } from './view-sheet'

/** Reads the chosen rows of a draft's sheet as they were written. Throws `invalid` if none can be chosen. */
export async function readDraftRows(db: Database, draftId: string): Promise<SourceRow[]> {
  const [[draft], rows] = await Promise.all([
    db
      .select({
        fileName: importDrafts.fileName,
        rowCount: importDrafts.rowCount,
        found: importDrafts.found,
        choices: importDrafts.choices,
      })
      .from(importDrafts)
      .where(eq(importDrafts.id, draftId)),
    db
      .select(rawRowColumns)
      .from(importDraftRows)
      .where(eq(importDraftRows.draftId, draftId))
      .orderBy(asc(importDraftRows.row)),
  ])
  if (!draft?.fileName) return []
  return chooseRows({ ...foundOf(draft), rows }, draft.choices).rows
}

/** Reads the sent files of the draft as `planImport` takes them, and the names of the files that were not sent. */
export async function readDraftFiles(
  db: Executor,
  draftId: string,
): Promise<{ files: CheckedFile[]; waiting: string[] }> {
  const rows = await db
    .select()
    .from(importDraftFiles)
    .where(eq(importDraftFiles.draftId, draftId))
    .orderBy(asc(importDraftFiles.fileName))
  return {
    files: rows.flatMap((row) => checkedOf(row) ?? []),
    waiting: rows.filter(({ state }) => state === 'waiting').map(({ fileName }) => fileName),
  }
}

function checkedOf(row: typeof importDraftFiles.$inferSelect): CheckedFile | null {
  const { fileName, state, heard, hash, extension, durationSeconds, sizeBytes, problem, warnings } = row
  if (state === 'waiting') return null
  if (heard) return { kind: 'timings', fileName, heard }
  if (state === 'refused' || !hash || !extension || durationSeconds === null)
    return { kind: 'problem', fileName, message: problem ?? `${fileName} cannot be used.` }
  return {
    kind: 'audio',
    fileName,
    audio: { fileName, hash, extension, durationSeconds, sizeBytes, warnings },
  }
}

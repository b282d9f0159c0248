import { asc, eq } from 'drizzle-orm'
import type { Database } from '#db/db'
import { importDraftFiles, importDraftRows } from '#db/schema'
import type { CheckedFile } from '#src/import/check-file'
import type { SourceRow } from '#src/import/rows/read-rows'

/** The rows of a draft's sheet, as they were read. */
export function readDraftRows(db: Database, draftId: string): Promise<SourceRow[]> {
  return db
    .select({ row: importDraftRows.row, cells: importDraftRows.cells })
    .from(importDraftRows)
    .where(eq(importDraftRows.draftId, draftId))
    .orderBy(asc(importDraftRows.row))
}

/** The sent files of the draft in the engine's shape, and the names of those that were not sent. */
export async function readDraftFiles(
  db: Database,
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

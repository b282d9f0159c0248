import type { StagedFile } from '#src/narration/staging'
import type { Parts } from '#src/parts'
import { type CheckedFile, checkFile } from './check-file'
import { importRows, type Progress, type RowImportOptions, type RowImportOutcome } from './import-rows'
import type { SourceRow } from './read-rows'
import { readSheet } from './read-sheet'

/** An audio file of an import: staged already (an upload), or to be staged from where it lies (the CLI). */
export type AudioSource = { fileName: string; stage(): Promise<StagedFile> }
export type FileImport = { sheet: { path: string; fileName: string }; audio: readonly AudioSource[] }
export type FileImportOptions = RowImportOptions

/** A dry run has a plan and no batch; a real one has both. */
export type FileImportOutcome = RowImportOutcome & {
  skippedLines: number
  /** The rows as they were written. */
  source: SourceRow[]
}

/**
 * A sheet and its audio files, from console, API and CLI: read, checked, planned, and unless it is a dry run
 * applied. A file that is not audio is a problem of the plan and is never stored; whatever fails leaves no
 * file behind.
 */
export async function importFiles(
  parts: Pick<Parts, 'db' | 'storage'>,
  { sheet, audio }: FileImport,
  options: FileImportOptions,
  by: string,
  onProgress: Progress = () => {},
): Promise<FileImportOutcome> {
  const { rows, skipped } = await readSheet(sheet.path, sheet.fileName)
  const files: CheckedFile[] = []
  for (const [at, source] of audio.entries()) {
    onProgress('checking audio', at, audio.length)
    files.push(await checkSource(parts, source, options))
  }
  if (audio.length > 0) onProgress('checking audio', audio.length, audio.length)
  const outcome = await importRows(parts, { fileName: sheet.fileName, rows, files }, options, by, onProgress)
  return { ...outcome, skippedLines: skipped, source: rows }
}

/**
 * Unless nothing may change, audio is moved to its place before the transaction: a crash between the two leaves
 * a file that no row names, which the sweep removes, never a row without its file.
 */
async function checkSource(
  { storage }: Pick<Parts, 'storage'>,
  source: AudioSource,
  { isDryRun }: FileImportOptions,
): Promise<CheckedFile> {
  const staged = await source.stage()
  try {
    const file = await checkFile(staged, source.fileName)
    if (file.kind === 'audio' && !isDryRun) await storage.keep(staged, file.audio.extension)
    return file
  } finally {
    await storage.discard(staged)
  }
}

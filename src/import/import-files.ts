import { storeAudio } from '#src/audio-file/store'
import { type ChosenRows, chooseRows, type SourceRow } from '#src/import/rows/choose-rows'
import type { SheetChoices } from '#src/import/rows/sheet-schema'
import type { Services } from '#src/services'
import type { StagedFile } from '#src/storage/staging'
import { type CheckedFile, checkFile } from './check-file'
import { importRows, type RowImportOptions, type RowImportOutcome } from './import-rows'
import { readSheet } from './read-sheet'

/** An audio file of an import: already staged (an upload), or to be staged from its path (the CLI). */
export type AudioSource = { fileName: string; stage(): Promise<StagedFile> }
export type FileImport = {
  sheet: { path: string; fileName: string }
  /** Choices of sheets and columns. Those not given stay as the reader found them. */
  choices?: SheetChoices
  audio: readonly AudioSource[]
}

/** A dry run has a plan and no batch; a real run has both. */
export type FileImportOutcome = RowImportOutcome & {
  skippedLines: number
  /** The sheets of the file. `notes` say what was left out or interpreted as something else. */
  sheets: ChosenRows['sheets']
  notes: string[]
  /** The rows as they were written. */
  source: SourceRow[]
}

/**
 * Reads, checks and plans a sheet with its audio files, and applies the plan unless this is a dry run. Called by
 * console, API and CLI. A file that is not audio is a problem of the plan and is never stored. On failure no staged
 * file remains.
 */
export async function importFiles(
  services: Pick<Services, 'db' | 'storage'>,
  { sheet, choices, audio }: FileImport,
  options: RowImportOptions,
  by: string,
): Promise<FileImportOutcome> {
  const { onProgress = () => {} } = options
  const { rows, skipped, sheets, notes } = chooseRows(await readSheet(sheet.path, sheet.fileName), choices)
  const files: CheckedFile[] = []
  for (const [at, source] of audio.entries()) {
    onProgress('checking audio', at, audio.length)
    files.push(await checkSource(services, source, options))
  }
  if (audio.length > 0) onProgress('checking audio', audio.length, audio.length)
  const outcome = await importRows(services, { fileName: sheet.fileName, rows, files }, options, by)
  return { ...outcome, skippedLines: skipped, sheets, notes, source: rows }
}

/**
 * Stages and checks one audio file. Unless this is a dry run, audio is stored before the transaction: a crash in
 * between leaves a file that no row names, which the sweep removes, but never a row without its file.
 */
async function checkSource(
  services: Pick<Services, 'db' | 'storage'>,
  source: AudioSource,
  { isDryRun }: RowImportOptions,
): Promise<CheckedFile> {
  const staged = await source.stage()
  try {
    const file = await checkFile(staged, source.fileName)
    if (file.kind === 'audio' && !isDryRun) await storeAudio(services, staged, file.audio.extension)
    return file
  } finally {
    await services.storage.discard(staged)
  }
}

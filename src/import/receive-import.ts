import { rm } from 'node:fs/promises'
import { AppError } from '#src/app-error'
import { receiveFromOperator } from '#src/narration/upload/receive-from-operator'
import { type Caller, operatorNameOf } from '#src/request/caller'
import type { Services } from '#src/services'
import { type FileImportOutcome, importFiles } from './import-files'
import type { RowImportOptions } from './import-rows'
import type { SheetChoices } from './rows/sheet-schema'
import { audioFilesMax } from './rules'

/**
 * Receives a multipart upload of a sheet (`excel`) with its MP3s (`mp3s`) and imports it. Throws `invalid` without a
 * sheet, and what `receiveFromOperator` and `importFiles` throw.
 */
export async function receiveImport(
  services: Pick<Services, 'db' | 'secrets' | 'storage'>,
  { request, caller }: { request: Request; caller: Caller },
  options: Pick<RowImportOptions, 'isDryRun' | 'strict' | 'narrate'>,
  choices?: SheetChoices,
): Promise<FileImportOutcome> {
  const by = operatorNameOf(caller)
  const limits = { fields: { excel: 1, mp3s: audioFilesMax } }
  const upload = await receiveFromOperator(services, { request, caller }, limits)
  try {
    const [sheet] = upload.files.filter((file) => file.field === 'excel')
    if (!sheet)
      throw new AppError('invalid', 'Please select an Excel/CSV file', {
        fields: [{ path: 'excel', message: 'Missing file' }],
      })
    const audio = upload.files.filter((file) => file.field === 'mp3s')
    const files = {
      sheet: { path: sheet.staged.path, fileName: sheet.fileName },
      choices,
      audio: audio.map(({ fileName, staged }) => ({ fileName, stage: async () => staged })),
    }
    return await importFiles(services, files, options, by)
  } finally {
    for (const { staged } of upload.files) await rm(staged.path, { force: true })
  }
}

import { table } from '#cli/output'
import type { DraftFile, ImportDraft } from '#src/import/draft/schema'
import { pluralize } from '#src/text/pluralize'

export const draftArg = {
  id: { type: 'positional', description: 'The id that nocturne imports begin said', required: true },
} as const

export function draftLines({ state, fileName, rowCount, files }: ImportDraft): string[] {
  return [
    `${fileName ?? 'no sheet yet'}, ${pluralize(rowCount, 'row')}, ${state}`,
    ...table(files.map(fileCells)),
  ]
}

export function fileCells({ fileName, state, sizeBytes, problem }: DraftFile): string[] {
  return [state, fileName, `${Math.ceil(sizeBytes / 1024)} KB`, problem ?? '']
}

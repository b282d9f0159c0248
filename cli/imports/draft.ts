import { printNote, table } from '#cli/output'
import type { DraftFile, ImportDraft } from '#src/import/draft/schema'
import { pluralize } from '#src/text/pluralize'

export const draftArg = {
  id: { type: 'positional', description: 'The id that nocturne imports begin printed', required: true },
} as const

export function draftLines({ state, fileName, rowCount, sheets, files }: ImportDraft): string[] {
  const named = sheets.length > 1 ? sheets : []
  return [
    `${fileName ?? 'no sheet yet'}, ${pluralize(rowCount, 'row')}, ${state}`,
    ...table(
      named.map(({ name, isChosen, isHidden, rowCount }) => [
        isChosen ? 'imported' : 'left out',
        name,
        pluralize(rowCount, 'row'),
        isHidden ? 'hidden' : '',
      ]),
    ),
    ...table(files.map(fileCells)),
  ]
}

/** Prints what was left out of a file or interpreted, and the problem if it cannot be imported yet. */
export function printFileNotes({ notes, sheetProblem }: ImportDraft): void {
  for (const note of notes) printNote(note)
  if (sheetProblem !== null) printNote(sheetProblem)
}

export function fileCells({ fileName, state, sizeBytes, problem }: DraftFile): string[] {
  return [state, fileName, `${Math.ceil(sizeBytes / 1024)} KB`, problem ?? '']
}

import * as t from 'typebox'
import { warningsOf } from './apply'
import type { FileImportOutcome } from './import-files'
import { SheetView } from './rows/sheet-schema'
import { problemsListedMax } from './rules'

export const ImportAnswer = t.Object({
  message: t.String(),
  imported: t.Integer(),
  updated: t.Integer(),
  skipped: t.Integer(),
  matchedAudio: t.Integer(),
  unmatchedAudio: t.Array(t.String()),
  problems: t.Array(
    t.Object({
      row: t.Integer({
        description:
          'The row number that a spreadsheet program shows; for JSON the item’s, for a paste the line’s; 0 for a file.',
      }),
      sheet: t.Optional(
        t.String({ description: 'For a workbook with several sheets.', examples: ['November'] }),
      ),
      field: t.String(),
      column: t.Optional(
        t.String({ description: 'Its letter and heading, where it has one.', examples: ['C “Voice”'] }),
      ),
      message: t.String(),
    }),
  ),
  batchId: t.Union([t.String(), t.Null()]),
  warnings: t.Array(t.String(), {
    description: 'What the guidelines found and let pass, and what is unusual about a file, by row.',
  }),
  ...SheetView.properties,
  rows: t.Array(
    t.Object({
      row: t.Integer(),
      sheet: t.Optional(t.String()),
      title: t.String(),
      verdict: t.String(),
      changes: t.Array(t.String()),
      audio: t.Array(t.Object({ voice: t.String(), fileName: t.String() })),
      isHeld: t.Boolean({ description: 'Kept for review, seen by nobody until an operator approves it.' }),
    }),
    { description: 'The plan: every row with its verdict.' },
  ),
})
export type ImportAnswer = t.Static<typeof ImportAnswer>

/** The plan or the result, as the API and the CLI's JSON return it. */
export function toAnswer({ plan, result, sheets, notes }: FileImportOutcome): ImportAnswer {
  const { create, update, same, problem, empty } = plan.counts
  return {
    message: result
      ? `${create} imported, ${update} updated, ${same + problem + empty} skipped.`
      : `Nothing was changed. ${create} would be imported, ${update} updated, ${same + problem + empty} skipped.`,
    imported: create,
    updated: update,
    skipped: same + problem + empty,
    matchedAudio: plan.counts.matchedAudio,
    unmatchedAudio: plan.unmatchedAudio,
    problems: plan.problems.slice(0, problemsListedMax),
    batchId: result?.batchId ?? null,
    warnings: warningsOf(plan).slice(0, problemsListedMax),
    sheets,
    notes,
    rows: plan.rows.map(({ row, sheet, title, verdict, changes, audio, admitted }) => ({
      row,
      ...(sheet !== undefined && { sheet }),
      title,
      verdict,
      changes: changes.map(({ field }) => field),
      audio: audio.map(({ voice, file }) => ({ voice, fileName: file.fileName })),
      isHeld: admitted.isHeld,
    })),
  }
}

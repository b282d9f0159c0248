import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { applyImport, type ImportHooks, type ImportRequest, type ImportResult, planOnly } from './apply'
import { type CheckedFile, gatherAudio } from './check-file'
import type { RowProblem } from './decode-row'
import { decodeRows } from './decode-rows'
import type { Plan } from './plan'
import type { SourceRow } from './read-rows'
import { sheetKind } from './read-sheet'

/** Rows that were read and files that were checked; the audio lies in its place unless it is a dry run. */
export type RowImport = { fileName: string; rows: readonly SourceRow[]; files: readonly CheckedFile[] }
export type RowImportOptions = Pick<ImportRequest, 'strict' | 'narrate'> & {
  isDryRun: boolean
}
export type Progress = (step: 'reading' | 'checking audio' | 'writing', done: number, total: number) => void
export type RowImportOutcome = { plan: Plan; result: ImportResult | null }

/**
 * Rows and files, planned and unless it is a dry run applied: what console, API and CLI all come to. Throws
 * `invalid` where `strict` meets a problem.
 */
export async function importRows(
  { db }: Pick<Parts, 'db'>,
  { fileName, rows: source, files }: RowImport,
  options: RowImportOptions,
  by: string,
  onProgress: Progress = () => {},
  settle?: ImportHooks['settle'],
): Promise<RowImportOutcome> {
  const { audio, problems } = gatherAudio(files)
  const rows = await decodeRows(db, source, by, (done) => onProgress('reading', done, source.length))
  if (options.isDryRun)
    return { plan: withProblems(await planOnly(db, { rows, audio }), problems), result: null }
  if (options.strict && problems[0]) throw new Refusal('invalid', problems[0].message)
  onProgress('writing', 0, rows.length)
  const request: ImportRequest = {
    kind: sheetKind(fileName).slice(1) || 'file',
    fileName,
    rows,
    audio,
    strict: options.strict,
    narrate: options.narrate,
  }
  const result = await applyImport(db, request, by, {
    onProgress: (done, total) => onProgress('writing', done, total),
    settle,
  })
  return { plan: withProblems(result.plan, problems), result }
}

/** A plan with what is wrong with the files beside the sheet. */
export function withProblems(plan: Plan, problems: readonly RowProblem[]): Plan {
  return { ...plan, problems: [...plan.problems, ...problems] }
}

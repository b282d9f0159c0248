import { AppError } from '#src/app-error'
import type { SourceRow } from '#src/import/rows/choose-rows'
import type { RowProblem } from '#src/import/rows/row-problem'
import type { Services } from '#src/services'
import { applyImport, planOnly } from './apply'
import { type CheckedFile, gatherAudio } from './check-file'
import { decodeRows } from './decode-rows'
import type { Plan } from './plan'
import { sheetKind } from './read-sheet'
import type { ImportHooks, ImportRequest, ImportResult } from './request'

/** Parsed rows and checked files. The audio is already stored, except in a dry run. */
export type RowImport = { fileName: string; rows: readonly SourceRow[]; files: readonly CheckedFile[] }
export type RowImportOptions = Pick<ImportRequest, 'strict' | 'narrate'> & {
  isDryRun: boolean
  onProgress?: Progress
  finish?: ImportHooks['finish']
}
type Progress = (step: 'reading' | 'checking audio' | 'writing', done: number, total: number) => void
export type RowImportOutcome = { plan: Plan; result: ImportResult | null }

/**
 * Plans rows and files and applies the plan unless this is a dry run. Called by console, API and CLI. Throws `invalid`
 * if `strict` is set and there is a problem.
 */
export async function importRows(
  { db }: Pick<Services, 'db'>,
  { fileName, rows: source, files }: RowImport,
  { isDryRun, strict, narrate, finish, onProgress = () => {} }: RowImportOptions,
  by: string,
): Promise<RowImportOutcome> {
  const { audio, problems } = gatherAudio(files)
  const rows = await decodeRows(db, source, by, (done) => onProgress('reading', done, source.length))
  if (isDryRun) return { plan: withProblems(await planOnly(db, { rows, audio }), problems), result: null }
  if (strict && problems[0]) throw new AppError('invalid', problems[0].message)
  onProgress('writing', 0, rows.length)
  const request: ImportRequest = {
    kind: sheetKind(fileName).slice(1) || 'file',
    fileName,
    rows,
    audio,
    strict,
    narrate,
  }
  const result = await applyImport(db, request, by, {
    onProgress: (done, total) => onProgress('writing', done, total),
    finish,
  })
  return { plan: withProblems(result.plan, problems), result }
}

/** Adds the problems of the files to the plan. */
function withProblems(plan: Plan, problems: readonly RowProblem[]): Plan {
  return { ...plan, problems: [...plan.problems, ...problems] }
}

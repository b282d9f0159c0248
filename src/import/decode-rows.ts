import type { Database } from '#db/db'
import { AppError } from '#src/app-error'
import { type DecisionRecord, GuidelineError, type TextSender } from '#src/guideline/decide'
import { holdForOperator } from '#src/guideline/holds'
import type { Guidelines } from '#src/guideline/judge'
import { moderateBy } from '#src/guideline/moderation-gate'
import { findGuidelines } from '#src/guideline/queries'
import { recordDecisions } from '#src/guideline/record'
import type { SourceRow } from '#src/import/rows/choose-rows'
import { decodeRow } from '#src/import/rows/decode-row'
import { problemAt } from '#src/import/rows/row-problem'
import { createTimeSlicer } from '#src/process/time-slice'
import type { DecodedRow } from './plan'

/**
 * Decodes rows and moderates their texts by the guidelines. A refused text is a problem of its row, and is recorded.
 */
export async function decodeRows(
  db: Database,
  rows: readonly SourceRow[],
  by: string,
  onProgress: (done: number) => void = () => {},
): Promise<DecodedRow[]> {
  const { decoded, refused } = await decodeBy(await findGuidelines(db), rows, by, onProgress)
  await recordDecisions(db, refused)
  return decoded
}

/** Like `decodeRows`, without recording: a plan is computed repeatedly before anything is imported. */
export async function previewRows(
  db: Database,
  rows: readonly SourceRow[],
  by: string,
): Promise<DecodedRow[]> {
  return (await decodeBy(await findGuidelines(db), rows, by)).decoded
}

/**
 * Decodes rows with the given guidelines. Records nothing: the caller records `refused`. Judging a long text takes
 * milliseconds, so the loop yields to other requests.
 */
export async function decodeBy(
  guidelines: Guidelines,
  rows: readonly SourceRow[],
  by: string,
  onProgress: (done: number) => void = () => {},
): Promise<{ decoded: DecodedRow[]; refused: DecisionRecord[] }> {
  const sender = { actor: by, role: 'operator', source: 'import' } as const
  const pause = createTimeSlicer()
  const refused: DecisionRecord[] = []
  const decoded: DecodedRow[] = []
  for (const source of rows) {
    decoded.push(await admitRow(guidelines, source, sender, refused))
    if (decoded.length % rowsPerReport === 0 || decoded.length === rows.length) onProgress(decoded.length)
    await pause()
  }
  return { decoded, refused }
}

const rowsPerReport = 20

async function admitRow(
  guidelines: Guidelines,
  source: SourceRow,
  sender: TextSender,
  refused: DecisionRecord[],
): Promise<DecodedRow> {
  const { item, problems, warnings: taken, isEmpty } = decodeRow(source)
  const { row, sheet, columns } = source
  const place = { row, ...(sheet !== undefined && { sheet }), ...(columns && { columns }) }
  try {
    const { warnings, isHeld, decisions, ...text } = await moderateBy(guidelines, item, sender)
    // An item that was held when it was exported is held here too.
    const waits = item.status === 'held' ? [holdForOperator({ ...item, ...text }, 'import', sender)] : []
    const admitted = {
      warnings: [...taken, ...warnings],
      isHeld: isHeld || waits.length > 0,
      decisions: [...decisions, ...waits],
    }
    return { ...place, judgedBy: guidelines, item: { ...item, ...text }, admitted, problems, isEmpty }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error instanceof GuidelineError) refused.push(...error.records)
    const problem = problemAt(source, 'content', error.message)
    const admitted = { warnings: taken, isHeld: false, decisions: [] }
    return { ...place, judgedBy: guidelines, item, admitted, problems: [...problems, problem], isEmpty }
  }
}

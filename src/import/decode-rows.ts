import type { Database } from '#db/db'
import { type DecisionRecord, GuidelineRefusal } from '#src/guideline/decide'
import type { Guidelines } from '#src/guideline/judge'
import { findGuidelines } from '#src/guideline/queries'
import { recordDecisions } from '#src/guideline/record'
import { Refusal } from '#src/refusal'
import { admitBy } from '#src/story/admit-text'
import { decodeRow } from './decode-row'
import type { DecodedRow } from './plan'
import type { SourceRow } from './read-rows'

/** Rows as items whose text has been let in; what the guidelines refuse is a problem of its row, and recorded. */
export async function decodeRows(
  db: Database,
  rows: readonly SourceRow[],
  by: string,
): Promise<DecodedRow[]> {
  const { decoded, refused } = decodeBy(await findGuidelines(db), rows, by)
  await recordDecisions(db, refused)
  return decoded
}

/** The same by rules that are at hand. Pure; `refused` is for the audit. */
export function decodeBy(
  guidelines: Guidelines,
  rows: readonly SourceRow[],
  by: string,
): { decoded: DecodedRow[]; refused: DecisionRecord[] } {
  const sender = { actor: by, role: 'operator', door: 'import' } as const
  const refused: DecisionRecord[] = []
  const decoded = rows.map((source): DecodedRow => {
    const { item, problems, isEmpty } = decodeRow(source)
    try {
      const { warnings, isHeld, decisions, ...text } = admitBy(guidelines, item, sender)
      const admitted = { warnings, isHeld, decisions }
      return { row: source.row, item: { ...item, ...text }, admitted, problems, isEmpty }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error instanceof GuidelineRefusal) refused.push(...error.records)
      const problem = { row: source.row, field: 'content' as const, message: error.message }
      const admitted = { warnings: [], isHeld: false, decisions: [] }
      return { row: source.row, item, admitted, problems: [...problems, problem], isEmpty }
    }
  })
  return { decoded, refused }
}

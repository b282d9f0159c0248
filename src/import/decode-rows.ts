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
  onProgress: (done: number) => void = () => {},
): Promise<DecodedRow[]> {
  const { decoded, refused } = await decodeInParts(await findGuidelines(db), rows, by, onProgress)
  await recordDecisions(db, refused)
  return decoded
}

/** The same, and nothing is recorded: what is planned again and again was not sent yet. */
export async function previewRows(
  db: Database,
  rows: readonly SourceRow[],
  by: string,
): Promise<DecodedRow[]> {
  return (await decodeInParts(await findGuidelines(db), rows, by, () => {})).decoded
}

/** A long text takes milliseconds: others are answered in between. */
async function decodeInParts(
  guidelines: Guidelines,
  rows: readonly SourceRow[],
  by: string,
  onProgress: (done: number) => void,
) {
  const all: ReturnType<typeof decodeBy> = { decoded: [], refused: [] }
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const { decoded, refused } = decodeBy(guidelines, rows.slice(from, from + rowsAtOnce), by)
    all.decoded.push(...decoded)
    all.refused.push(...refused)
    onProgress(all.decoded.length)
    await new Promise(setImmediate)
  }
  return all
}

const rowsAtOnce = 20

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
      // What was held where it comes from waits here too.
      const admitted = { warnings, isHeld: isHeld || item.status === 'held', decisions }
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

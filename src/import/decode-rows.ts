import { Refusal } from '#src/refusal'
import { admitText } from '#src/story/admit-text'
import { decodeRow } from './decode-row'
import type { DecodedRow } from './plan'
import type { SourceRow } from './read-rows'

/** Rows as items whose text has passed `admitText`; what it refuses is a problem of its row. */
export async function decodeRows(rows: readonly SourceRow[]): Promise<DecodedRow[]> {
  const decoded: DecodedRow[] = []
  for (const source of rows) {
    const { item, problems, isEmpty } = decodeRow(source)
    try {
      const { title, description, excerpt, content, warnings, isHeld } = await admitText(item)
      decoded.push({
        row: source.row,
        item: { ...item, title, description, excerpt, content },
        admitted: { warnings, isHeld },
        problems,
        isEmpty,
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const admitted = { warnings: [], isHeld: false }
      decoded.push({
        row: source.row,
        item,
        admitted,
        problems: [...problems, { row: source.row, field: 'content', message: error.message }],
        isEmpty,
      })
    }
  }
  return decoded
}

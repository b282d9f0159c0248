import type { Plan } from '#src/import/plan'
import { writeList } from '#src/import/rows/cell'
import type { SourceRow } from '#src/import/rows/choose-rows'
import { columnFields, columnName } from '#src/import/rules'
import { toCsv } from '#src/text/csv'

/**
 * The rows that cannot be imported, as a sheet to fix and import again: each row as it was written, with its problems,
 * under the columns that any of the rows uses. `source` holds the plan's rows. Null if there are none.
 */
export function failedRowsCsv(plan: Plan, source: readonly SourceRow[]): string | null {
  const failed = plan.rows.flatMap(({ verdict, problems }, at) => {
    const written = source[at]
    return verdict === 'problem' && written ? [{ written, problems }] : []
  })
  if (failed.length === 0) return null
  const used = columnFields.filter((field) =>
    failed.some(({ written }) => textOf(written.cells[field]) !== ''),
  )
  const hasSheets = failed.some(({ written }) => written.sheet !== undefined)
  const lines = failed.map(({ written: { row, sheet = '', cells }, problems }) => [
    ...used.map((field) => textOf(cells[field])),
    problems.map(({ message }) => message).join(' '),
    row,
    ...(hasSheets ? [sheet] : []),
  ])
  // Spreadsheet programs read a CSV as UTF-8 only if it begins with this byte order mark.
  return `\ufeff${toCsv([[...used.map(columnName), 'Problem', 'Row', ...(hasSheets ? ['Sheet'] : [])], ...lines])}`
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (Array.isArray(cell)) return writeList(cell.map(textOf))
  return typeof cell === 'object' ? '' : String(cell)
}

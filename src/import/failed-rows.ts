import type { Plan } from '#src/import/plan'
import { writeList } from '#src/import/rows/cell'
import type { SourceRow } from '#src/import/rows/read-rows'
import { columnName, fields } from '#src/import/rules'
import { toCsv } from '#src/text/csv'

/**
 * The rows that cannot be imported, as a sheet to fix and import again: as they were written, with the columns that
 * any of them has, and the problems of each. Null where there are none.
 */
export function failedRowsCsv(plan: Plan, source: readonly SourceRow[]): string | null {
  const failed = new Set(plan.rows.filter(({ verdict }) => verdict === 'problem').map(({ row }) => row))
  const rows = source.filter(({ row }) => failed.has(row))
  if (rows.length === 0) return null
  const used = fields.filter((field) => rows.some(({ cells }) => textOf(cells[field]) !== ''))
  const problems = Map.groupBy(plan.problems, ({ row }) => row)
  const lines = rows.map(({ row, cells }) => [
    ...used.map((field) => textOf(cells[field])),
    (problems.get(row) ?? []).map(({ message }) => message).join(' '),
    row,
  ])
  // Spreadsheets take a CSV for UTF-8 only where it begins with this mark.
  return `\ufeff${toCsv([[...used.map(columnName), 'Problem', 'Row'], ...lines])}`
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (Array.isArray(cell)) return writeList(cell.map(textOf))
  return typeof cell === 'object' ? '' : String(cell)
}

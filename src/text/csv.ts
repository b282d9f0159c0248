import Papa from 'papaparse'

/** With quote marks before it too: a text that begins with one gets another, and retains its own. */
const formula = /^'*\s*[=+\-@\t\r\n＝＋－＠]/

/**
 * Rows as CSV that a spreadsheet cannot mistake for formulas: every field quoted, and a quote mark before = + - @, tab,
 * CR, LF and their full-width forms, also after spaces. Tabs or pipes may part the fields instead of commas.
 */
export function toCsv(rows: (string | number)[][], separator = ','): string {
  const options = { quotes: true, delimiter: separator, newline: '\r\n', escapeFormulae: formula }
  return rows.length > 0 ? `${Papa.unparse(rows, options)}\r\n` : ''
}

/** A cell as it was before `toCsv` guarded it: what is exported, fixed and imported again stays the same. */
export function unguard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}

import Papa from 'papaparse'

/**
 * Matches formulas, also after quote marks: a text that begins with a quote mark gets another one, and keeps its own
 * when unguarded.
 */
const formula = /^'*\s*[=+\-@\t\r\n＝＋－＠]/

/**
 * Prints rows as CSV that a spreadsheet cannot take for formulas. Every field is quoted, with a quote mark before = + -
 * @, tab, CR, LF and their full-width forms, also after spaces. Tabs or pipes can separate the fields instead of
 * commas.
 */
export function toCsv(rows: (string | number)[][], separator = ','): string {
  const options = { quotes: true, delimiter: separator, newline: '\r\n', escapeFormulae: formula }
  return rows.length > 0 ? `${Papa.unparse(rows, options)}\r\n` : ''
}

/**
 * Removes the quote mark that `toCsv` added to a cell, so that data that is exported, corrected and imported again
 * stays the same.
 */
export function unguard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}

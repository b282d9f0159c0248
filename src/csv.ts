/**
 * Rows as CSV that a spreadsheet cannot mistake for formulas: every field quoted, quotes doubled, and a
 * quote mark before = + - @, tab, CR, LF and their full-width forms, also after spaces (security.md).
 * Tabs or pipes may part the fields instead of commas.
 */
export function toCsv(rows: readonly (readonly (string | number)[])[], separator = ','): string {
  return rows.map((row) => `${row.map(field).join(separator)}\r\n`).join('')
}

/** A cell as it was before `toCsv` guarded it: what is exported, mended and imported again stays the same. */
export function unguard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}

/** With quote marks before it too: a text that has one of its own gets another, and keeps its own. */
const formula = /^'*\s*[=+\-@\t\r\n＝＋－＠]/

function field(value: string | number): string {
  const text = String(value)
  const guarded = typeof value === 'string' && formula.test(text) ? `'${text}` : text
  return `"${guarded.replaceAll('"', '""')}"`
}

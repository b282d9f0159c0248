/**
 * Rows as CSV that a spreadsheet cannot mistake for formulas: every field quoted, quotes doubled, and a
 * quote mark before = + - @, tab, CR, LF and their full-width forms, also after spaces (security.md).
 */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('')
}

function field(value: string | number): string {
  const text = String(value)
  const guarded = typeof value === 'string' && /^\s*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return `"${guarded.replaceAll('"', '""')}"`
}

/** The text of a cell of a sheet, or of a value of a JSON row. Browser-safe. */

/** As text; a list with commas between, nothing for an object. */
export function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (Array.isArray(cell)) return cell.map(textOf).join(', ')
  return typeof cell === 'object' ? '' : String(cell).trim()
}

/** Null for other types. */
export function readYesNo(value: string): boolean | null {
  const word = value.toLowerCase()
  if (['true', 'yes', '1'].includes(word)) return true
  return ['false', 'no', '0'].includes(word) ? false : null
}

/** A list as one cell: commas between, or JSON where a value has a comma of its own. */
export function writeList(values: readonly string[]): string {
  const plain = values.join(', ')
  return plain.startsWith('[') || values.some((value) => value.includes(',')) ? JSON.stringify(values) : plain
}

/** The values of such a cell, as they stand there. */
export function splitList(cell: string): string[] {
  return readJsonList(cell) ?? cell.split(',')
}

function readJsonList(cell: string): string[] | null {
  if (!cell.startsWith('[')) return null
  try {
    const values: unknown = JSON.parse(cell)
    return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : null
  } catch {
    return null
  }
}

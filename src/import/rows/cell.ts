/** Text of a sheet's cell, or of a value in a JSON row. Browser-safe. */

/** The value as text: a list is joined with commas, an object is empty. */
export function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (Array.isArray(cell)) return cell.map(textOf).join(', ')
  return typeof cell === 'object' ? '' : String(cell).trim()
}

/** Null for a value that is neither yes nor no. */
export function readYesNo(value: string): boolean | null {
  const word = value.toLowerCase()
  if (['true', 'yes', '1'].includes(word)) return true
  return ['false', 'no', '0'].includes(word) ? false : null
}

/** Writes a list into one cell: joined with commas, or as JSON if a value contains a comma. */
export function writeList(values: readonly string[]): string {
  const plain = values.join(', ')
  return plain.startsWith('[') || values.some((value) => value.includes(',')) ? JSON.stringify(values) : plain
}

/** The values of a cell that `writeList` wrote, untrimmed. */
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

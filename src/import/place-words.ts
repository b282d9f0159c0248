import { labelOf } from '#src/shape/invalid-field'
import type { RowProblem } from './rows/row-problem'

/** Position of a row or cell in a file. Browser-safe. */
export type Place = Pick<RowProblem, 'row' | 'sheet' | 'column'>

/** "Row 5", "Row 5, column C “Voice”", "Sheet “May”, row 5, column C “Voice”". */
export function placeWords({ sheet, row, column }: Place): string {
  const words = [sheet && `sheet “${sheet}”`, `row ${row}`, column && `column ${column}`]
  const place = words.filter(Boolean).join(', ')
  return place.charAt(0).toUpperCase() + place.slice(1)
}

/**
 * A problem with its position and its fix. The field is named if no column has it; a problem of a whole file has no
 * position.
 */
export function problemSentence({
  field,
  message,
  ...place
}: Place & { field: string; message: string }): string {
  if (place.row === 0) return message
  const isOfRow = place.column !== undefined || field === 'row'
  return `${placeWords(place)}${isOfRow ? '' : `, ${labelOf(field)}`}: ${message}`
}

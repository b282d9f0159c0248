import { isDayOfCalendar } from '#src/shape/read-instant'

const written =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i

/** Excel's day 60 is the non-existent 29 February 1900. Days from 1 March 1900 on are right. */
const spreadsheetDays = { min: 61, max: 2_958_465 }
const spreadsheetEpoch = Date.UTC(1899, 11, 30)
const dayMs = 86_400_000

/**
 * Reads the time in a cell: ISO 8601 with or without a time of day, or a spreadsheet's number of days. UTC unless it
 * names a zone. Null for anything else, such as 30 February. Browser-safe.
 */
export function readTime(cell: unknown): Date | null {
  if (typeof cell === 'number') {
    const isDay = cell >= spreadsheetDays.min && cell < spreadsheetDays.max + 1
    // A double is exact to some microseconds within a day, so the nearest second is the written one.
    return isDay ? new Date(Math.round((spreadsheetEpoch + cell * dayMs) / 1_000) * 1_000) : null
  }
  const [, day, time = '00:00', zone = 'Z'] = String(cell).trim().match(written) ?? []
  if (!day || !isDayOfCalendar(day)) return null
  const date = new Date(
    `${day}T${time.padStart(time.indexOf(':') === 1 ? time.length + 1 : 0, '0')}${zone.toUpperCase()}`,
  )
  return Number.isNaN(date.getTime()) ? null : date
}

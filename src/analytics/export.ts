import type { Executor } from '#db/db'
import { invalidField } from '#src/shape/invalid-field'
import { toCsv } from '#src/text/csv'
import {
  describeConversion,
  describeRetention,
  listSearches,
  listStartPages,
  requireMeasured,
} from './insight'
import type { ExportedFigure, Period } from './rules'

export type ExportRequest = { figure: ExportedFigure; days: Period; item: string; freeStoryLimit: number }

/**
 * One of the operators' figures as CSV, with all rows, while the dashboard shows only the first. Throws `not_found` for
 * an unknown item, and `invalid` if the figure needs an item and none is named.
 */
export async function exportFigure(db: Executor, request: ExportRequest): Promise<string> {
  // Spreadsheet programs read a CSV as UTF-8 only if it begins with this byte order mark.
  return `\ufeff${toCsv(await rowsOf[request.figure](db, request))}`
}

const rowsOf: Record<
  ExportedFigure,
  (db: Executor, request: ExportRequest) => Promise<(string | number)[][]>
> = {
  async searches(db, { days }) {
    const rows = await listSearches(db, days, null)
    return [
      ['Search', 'Searches', 'Without a result'],
      ...rows.map(({ query, searches, withoutResult }) => [query, searches, withoutResult]),
    ]
  },
  async retention(db, { item, days }) {
    const { curve } = await describeRetention(db, requireNamed(item), days)
    return [
      ['Percent', 'Second', 'Views that came this far'],
      ...curve.map(({ percent, second, count }) => [percent, second, count]),
    ]
  },
  async starts(db, { item, days }) {
    await requireMeasured(db, requireNamed(item))
    const pages = await listStartPages(db, item, days, null)
    return [['Page', 'Starts'], ...pages.map(({ page, starts }) => [page, starts])]
  },
  async conversion(db, { freeStoryLimit }) {
    const { days, atLimit, joined, joinedAtLimit } = await describeConversion(db, freeStoryLimit)
    return [
      ['Days', 'Free stories', 'Came to the limit', 'Joined', 'Joined after reading up to the limit'],
      [days, freeStoryLimit, atLimit, joined, joinedAtLimit],
    ]
  },
}

function requireNamed(item: string): string {
  if (item === '') throw invalidField('item', 'Required')
  return item
}

import { AppError } from '#src/app-error'
import { isId } from './id'

/** The largest exact count: counting further would take longer than the list itself. */
export const exactCountMax = 10_000

/** The count that a list shows, from one that stops at one more than `exactCountMax`. */
export function shownCount(counted: number): { count: number; isAtLeast: boolean } {
  return { count: Math.min(counted, exactCountMax), isAtLeast: counted > exactCountMax }
}

/** The position at which a page of a list ended: the sort value and the id, encoded as opaque text. */
export type Cursor = { value: string; id: string }

export function writeCursor({ value, id }: Cursor): string {
  return Buffer.from(`${value}|${id}`).toString('base64url')
}

/**
 * Cuts a page of `limit` from `rows`, which have one more if there is a next page. `cursorOf` returns the position of
 * its last row. `nextCursor` is null on the last page.
 */
export function cutPage<Row, Place extends string | number>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => Place,
): { page: Row[]; nextCursor: Place | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, nextCursor: rows.length > limit && last ? cursorOf(last) : null }
}

/** The types of a list's sort value, and so of its cursors. */
const isValue = {
  minutes: (value: string) => /^\d{1,4}$/.test(value),
  timestamp: (value: string) => /^[1-9]\d{3}-[0-9T:.-]{18,21}Z$/.test(value) && isOnCalendar(value),
}

/** Parses a cursor. Throws `invalid` for a text that is not a cursor of this list. */
export function readCursor(text: string, by: keyof typeof isValue): Cursor {
  const [value = '', id = '', ...rest] = Buffer.from(text, 'base64url').toString().split('|')
  if (rest.length > 0 || !isId(id) || !isValue[by](value)) throw badCursor()
  return { value, id }
}

/**
 * Checks the cursor of a list that is ordered by id, which is the last id of the previous page. Throws `invalid` for
 * any other text.
 */
export function readIdCursor(text: string): string {
  if (!isId(text)) throw badCursor()
  return text
}

function badCursor(): AppError {
  return new AppError('invalid', 'This cursor does not belong to this list. Start again without it.', {
    fields: [{ path: 'cursor', message: 'Not a cursor of this list' }],
  })
}

/** Whether a date exists. JavaScript parses 30 February as 2 March; in the database it is an error. */
function isOnCalendar(value: string): boolean {
  const date = new Date(value)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 23) === value.slice(0, 23)
}

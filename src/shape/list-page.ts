import { AppError } from '#src/app-error'
import { isId } from './id'

/** The largest exact count: counting further would be slower than the list itself. */
export const exactCountMax = 10_000

/** The count that a list says, of one that ended at one more than `exactCountMax`. */
export function shownCount(counted: number): { count: number; isAtLeast: boolean } {
  return { count: Math.min(counted, exactCountMax), isAtLeast: counted > exactCountMax }
}

/** Where a page of a list ended: the sort's own value and the id, as opaque text. */
export type Cursor = { value: string; id: string }

export function writeCursor({ value, id }: Cursor): string {
  return Buffer.from(`${value}|${id}`).toString('base64url')
}

/**
 * The page of `rows`, of which one more than `limit` was read where there are more; `cursorOf` says where its last row
 * stands. `nextCursor` is null at the end.
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

/** The kinds of a list's sort value, and so of its cursors. */
const isValue = {
  minutes: (value: string) => /^\d{1,4}$/.test(value),
  timestamp: (value: string) => /^[1-9]\d{3}-[0-9T:.-]{18,21}Z$/.test(value) && isOnCalendar(value),
}

/** Parses a cursor. Throws `invalid` for a text that is no cursor of this list. */
export function readCursor(text: string, by: keyof typeof isValue): Cursor {
  const [value = '', id = '', ...rest] = Buffer.from(text, 'base64url').toString().split('|')
  if (rest.length > 0 || !isId(id) || !isValue[by](value)) throw badCursor()
  return { value, id }
}

/** The cursor of a list in the order of its ids: the last one of the page before. Throws `invalid` for another text. */
export function readIdCursor(text: string): string {
  if (!isId(text)) throw badCursor()
  return text
}

function badCursor(): AppError {
  return new AppError('invalid', 'This cursor is not one of this list. Begin again without it.', {
    fields: [{ path: 'cursor', message: 'Not a cursor of this list' }],
  })
}

/** JavaScript parses a 30th of February as a 2nd of March; in the database it is an error. */
function isOnCalendar(value: string): boolean {
  const date = new Date(value)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 23) === value.slice(0, 23)
}

import { type Status, statuses } from '#src/story/rules'
import { readYesNo, textOf } from './cell'
import type { SourceRow } from './read-rows'
import { readTime } from './read-time'
import type { Field } from './rules'

/** Null where the row says nothing: a new item is published now, and for members alone. */
export type Appearance = {
  status: Exclude<Status, 'removed'> | null
  isFree: boolean | null
  publishedAt: Date | null
}

/**
 * Who may see an item, and since or from when. A time to come schedules what has no status; what was scheduled
 * for a time that is past has appeared.
 */
export function readAppearance(
  cells: SourceRow['cells'],
  problem: (field: Field, message: string) => void,
): Appearance {
  const status = readStatus(textOf(cells.status), (message) => problem('status', message))
  const free = textOf(cells.isFree)
  const isFree = readYesNo(free)
  if (free && isFree === null)
    problem(
      'isFree',
      `"${free.slice(0, 40)}" is neither yes nor no. Write yes where visitors may hear it, or no.`,
    )
  const time = textOf(cells.publishedAt)
  const publishedAt = time ? readTime(cells.publishedAt) : null
  if (time && !publishedAt)
    problem(
      'publishedAt',
      `"${time.slice(0, 40)}" is no time. Write it as 2026-11-27 20:00, in UTC, or as 2026-11-27T20:00:00+01:00.`,
    )
  const isToCome = publishedAt !== null && publishedAt > new Date()
  if (status === 'scheduled' && publishedAt)
    return { status: isToCome ? status : 'published', isFree, publishedAt }
  return { status: status ?? (isToCome ? 'scheduled' : null), isFree, publishedAt }
}

function readStatus(value: string, problem: (message: string) => void): Appearance['status'] {
  const status = statuses.find((each) => each === value.toLowerCase())
  if (status && status !== 'removed') return status
  if (status) problem('What was removed is not imported. Write draft or published, or leave the row out.')
  else if (value) problem(`"${value.slice(0, 40)}" is no status. Write draft, scheduled or published.`)
  return null
}

import { textOf } from '#src/import/rows/cell'
import type { SourceRow } from '#src/import/rows/choose-rows'
import { readTime } from '#src/import/rows/read-time'
import { type Status, statuses } from '#src/story/rules'
import { didYouMean } from '#src/text/near-ones'

/** Null if the row states nothing: a new item is published now. */
export type Appearance = {
  status: Exclude<Status, 'removed'> | null
  publishedAt: Date | null
}

/**
 * The status and the time of publication. A future time schedules an item without a status. A scheduled item with a
 * past time is published.
 */
export function appearanceOf({ status, publishedAt }: Appearance): Appearance {
  const isToCome = publishedAt !== null && publishedAt > new Date()
  if (status === 'scheduled' && publishedAt) return { status: isToCome ? status : 'published', publishedAt }
  return { status: status ?? (isToCome ? 'scheduled' : null), publishedAt }
}

export function readAppears(
  cell: SourceRow['cells']['publishedAt'],
  problem: (message: string) => void,
): Date | null {
  const time = textOf(cell)
  const publishedAt = time ? readTime(cell) : null
  if (time && !publishedAt)
    problem(
      `"${time.slice(0, 40)}" is not a time. Write it as 2026-11-27 20:00, in UTC, or as 2026-11-27T20:00:00+01:00.`,
    )
  return publishedAt
}

export function readStatus(value: string, problem: (message: string) => void): Appearance['status'] {
  const status = statuses.find((each) => each === value.toLowerCase())
  if (status && status !== 'removed') return status
  if (status) problem('Removed items are not imported. Write draft or published, or leave the row out.')
  else if (value)
    problem(
      `"${value.slice(0, 40)}" is not a status.${didYouMean(value, statuses)} Write draft, scheduled or published.`,
    )
  return null
}

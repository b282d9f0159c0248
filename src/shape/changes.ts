import * as t from 'typebox'
import { invalidField } from './invalid-field'
import { oneOf } from './one-of'
import { readInstant } from './read-instant'

/** The query parameter that requests the changes of a list. */
export const SinceQuery = {
  updatedSince: t.Optional(
    t.String({
      maxLength: 40,
      description:
        'Only what changed since this instant (ISO 8601), the longest ago first. Go back some minutes before what you read last: what is being written appears when it is done.',
      examples: ['2026-11-20T20:15:00.000Z'],
    }),
  ),
}

/** The query parameters that request the changes of a list whose removals are recorded. */
export const ChangesQuery = {
  ...SinceQuery,
  include: t.Optional(
    oneOf(['removed'], { description: 'With updatedSince: also what left the list, for 90 days.' }),
  ),
}

/** An entry that was removed from a list. */
export const Removal = t.Object({
  id: t.String(),
  removedAt: t.String({ examples: ['2026-11-20T20:15:00.000Z'] }),
})
export type Removal = t.Static<typeof Removal>

export type ChangesQuery = { updatedSince?: string; include?: 'removed' }

/** Reads since when changes are requested; null if the list itself is. Throws `invalid`. */
export function readSince({ updatedSince, include }: ChangesQuery, removalDays: number) {
  if (updatedSince === undefined) {
    if (include) throw invalidField('include', 'Expected together with updatedSince')
    return null
  }
  const since = readInstant(updatedSince, 'updatedSince')
  if (include && Date.now() - since.getTime() > removalDays * 86_400_000)
    throw invalidField(
      'updatedSince',
      `Expected one of the last ${removalDays} days. Read the whole list again`,
    )
  return { since, include: include ? ('changed and removed' as const) : ('changed' as const) }
}

/** The rows that changed since a date, oldest change first. */
export function changedSince<T extends { updatedAt: string | Date | null }>(
  rows: readonly T[],
  { since }: { since: Date },
): T[] {
  const at = ({ updatedAt }: T) => (updatedAt === null ? Number.NaN : new Date(updatedAt).getTime())
  return rows.filter((row) => at(row) >= since.getTime()).toSorted((a, b) => at(a) - at(b))
}

import { removalDays } from '#db/changes'
import { followChanges } from '#src/request/follow'
import { readSince } from '#src/shape/changes'

export const sinceFlag = {
  'updated-since': {
    type: 'string',
    description: 'Only what changed since then, such as 2026-11-20T20:15:00Z, the longest ago first',
  },
} as const

/** Since when changes are asked for; null where the list itself is. Throws `invalid`. */
export function sinceOf(args: { 'updated-since'?: string }) {
  return readSince({ updatedSince: args['updated-since'] }, removalDays)
}

/** A list that is printed whole, or what changed of it. Throws `invalid`. */
export function followed<T extends { updatedAt: string | Date | null }>(
  args: { 'updated-since'?: string },
  readAll: () => Promise<T[]>,
): Promise<T[]> {
  return followChanges({ updatedSince: args['updated-since'] }, readAll)
}

import { removalDays } from '#db/changes'
import { listChanged } from '#src/request/list-changed'
import { readSince } from '#src/shape/changes'

export const sinceFlag = {
  'updated-since': {
    type: 'string',
    description: 'Only what changed since then, such as 2026-11-20T20:15:00Z, the longest ago first',
  },
} as const

/** Returns since when changes are requested; null if the list itself is requested. Throws `invalid`. */
export function sinceOf(args: { 'updated-since'?: string }) {
  return readSince({ updatedSince: args['updated-since'] }, removalDays)
}

/** Returns a whole list, or what has changed in it. Throws `invalid`. */
export function followed<T extends { updatedAt: string | Date | null }>(
  args: { 'updated-since'?: string },
  readAll: () => Promise<T[]>,
): Promise<T[]> {
  return listChanged({ updatedSince: args['updated-since'] }, readAll)
}

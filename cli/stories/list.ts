import { defineCommand } from 'citty'
import { choose, chooseNumber } from '#cli/choose'
import { jsonFlag, print, printCount, printCursor, printNote, table } from '#cli/output'
import { sinceFlag, sinceOf } from '#cli/since'
import { choiceOf } from '#cli/value-hints'
import { withServices } from '#cli/with-services'
import { type LibraryFilter, listLibrary, listLibraryChanges } from '#src/library/queries'
import type { PremiumItem } from '#src/story/draft-schema'
import { categories, itemTypes, libraryLimitMax, statuses } from '#src/story/rules'

/** The filters of the library's list, the same as in the console. */
export const filterFlags = {
  q: { type: 'string', description: 'Words to look for' },
  type: { type: 'string', ...choiceOf(itemTypes) },
  category: { type: 'string', ...choiceOf(categories) },
  status: { type: 'string', ...choiceOf(statuses, `${statuses.join(', ')}; by default all but removed`) },
} as const

export function readFilter(args: {
  q?: string
  type?: string
  category?: string
  status?: string
}): LibraryFilter {
  return {
    ...(args.q && { q: args.q }),
    ...(args.type !== undefined && { type: choose('type', itemTypes, args.type) }),
    ...(args.category !== undefined && { category: choose('category', categories, args.category) }),
    ...(args.status !== undefined && { status: choose('status', statuses, args.status) }),
  }
}

/** Defines the command that lists the library, for each noun that has it. */
export const listOf = (noun: 'stories' | 'premium') =>
  defineCommand({
    meta: {
      name: 'list',
      description: `Lists the library, the newest first. Example: nocturne ${noun} list --status draft --limit 20`,
    },
    args: {
      ...filterFlags,
      limit: { type: 'string', description: 'How many', default: '50' },
      cursor: { type: 'string', description: 'The cursor that the page before printed' },
      ...sinceFlag,
      ...jsonFlag,
    },
    run: ({ args }) => {
      const limit = chooseNumber('limit', args.limit, { min: 1, max: libraryLimitMax })
      const filter = { ...readFilter(args), limit, cursor: args.cursor }
      return withServices(async ({ db }) => {
        const since = sinceOf(args)
        const { items, nextCursor, ...counted } = since
          ? await listLibraryChanges(db, filter, since)
          : await listLibrary(db, filter)
        print(args, items, () => table(items.map(lineOf)))
        if ('count' in counted) return printCount(items.length, { ...counted, nextCursor }, 'item')
        printNote(`Changed: ${items.length}`)
        printCursor(nextCursor)
      })
    },
  })

function lineOf({ id, type, status, duration, audioUrl, slug, title }: PremiumItem): string[] {
  return [id, type, status, `${duration} min`, audioUrl ? 'audio' : '', slug, title]
}

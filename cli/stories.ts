import { defineCommand } from 'citty'
import { importFlags, importFromTerminal } from '#cli/import-command'
import { jsonFlag, print, table } from '#cli/output'
import { withParts } from '#cli/with-parts'
import { listLibrary } from '#src/story/library'

const importStories = defineCommand({
  meta: {
    name: 'import',
    description:
      'Imports stories from tabs, pipes, CSV, JSON or a spreadsheet. Example: nocturne stories import stories.csv --dry-run',
  },
  args: {
    file: {
      type: 'positional',
      description: 'A file, or - for standard input (tabs or pipes)',
      required: true,
    },
    ...importFlags,
    ...jsonFlag,
  },
  run: ({ args }) => importFromTerminal({ ...args, mp3: undefined }),
})

export const list = defineCommand({
  meta: {
    name: 'list',
    description: 'Lists the library, the newest first. Example: nocturne stories list --limit 20',
  },
  args: { limit: { type: 'string', description: 'How many', default: '50' }, ...jsonFlag },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const { items, count } = await listLibrary(db, {
        limit: Math.min(500, Math.max(1, Number.parseInt(args.limit, 10) || 50)),
      })
      print(args.json, items, () => [
        ...table(
          items.map((item) => [
            item.id,
            item.type,
            item.status,
            `${item.duration} min`,
            item.audioUrl ? 'audio' : '',
            item.title,
          ]),
        ),
        `${items.length} of ${count} items`,
      ])
    }),
})

export default defineCommand({
  meta: { name: 'stories', description: 'The library: import, list' },
  subCommands: { import: importStories, list },
})

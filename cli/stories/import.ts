import { defineCommand } from 'citty'
import { importFlags, importFromTerminal } from '#cli/import-command'
import { jsonFlag } from '#cli/output'
import { fileNamed } from '#cli/value-hints'
import { columnName, sheetFields } from '#src/import/rules'

export const importStories = defineCommand({
  meta: {
    name: 'import',
    description: `Imports stories from tabs, pipes, CSV, JSON or a spreadsheet. Columns by their names: ${sheetFields.map(columnName).join(', ')}. Example: nocturne stories import stories.csv --dry-run`,
  },
  args: {
    file: {
      type: 'positional',
      ...fileNamed('A file, or - for standard input (tabs or pipes)'),
      required: true,
    },
    ...importFlags,
    ...jsonFlag,
  },
  run: ({ args }) => importFromTerminal({ ...args, mp3: undefined }),
})

import { defineCommand } from 'citty'
import { importFlags, importFromTerminal } from '#cli/import-command'
import { jsonFlag } from '#cli/output'
import { add } from '#cli/stories/add'
import { publish, schedule, unpublish } from '#cli/stories/appear'
import { change, undo } from '#cli/stories/change'
import { edit } from '#cli/stories/edit'
import { exportItems } from '#cli/stories/export'
import { list } from '#cli/stories/list'
import { remove, restore } from '#cli/stories/remove'
import { show } from '#cli/stories/show'
import { columnName, sheetFields } from '#src/import/rules'

const importStories = defineCommand({
  meta: {
    name: 'import',
    description: `Imports stories from tabs, pipes, CSV, JSON or a spreadsheet. Columns by their names: ${sheetFields.map(columnName).join(', ')}. Example: nocturne stories import stories.csv --dry-run`,
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

export default defineCommand({
  meta: {
    name: 'stories',
    description:
      'The library: list, show, add, edit, publish, unpublish, schedule, remove, restore, change, undo, import, export',
  },
  subCommands: {
    list,
    show,
    add,
    edit,
    publish,
    unpublish,
    schedule,
    remove,
    restore,
    change,
    undo,
    import: importStories,
    export: exportItems,
  },
})

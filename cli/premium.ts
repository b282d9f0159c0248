import { defineCommand } from 'citty'
import { importFlags, importFromTerminal } from '#cli/import-command'
import { jsonFlag, print } from '#cli/output'
import { attachAudio, attachTimings } from '#cli/premium/attach'
import { listOfItem, restore } from '#cli/premium/narrations'
import { listOf } from '#cli/stories/list'
import { fileNamed } from '#cli/value-hints'
import { withServices } from '#cli/with-services'
import { countLibrary } from '#src/library/queries'
import { pluralize } from '#src/text/pluralize'

const importPremium = defineCommand({
  meta: {
    name: 'import',
    description:
      'Imports a sheet with its audio. Example: nocturne premium import evening.xlsx --mp3 mp3/ --dry-run',
  },
  args: {
    file: { type: 'positional', ...fileNamed('A .xlsx, .xls, .csv or .json file'), required: true },
    mp3: { type: 'string', ...fileNamed('A folder of MP3, WAV or M4A files, named like the items') },
    ...importFlags,
    ...jsonFlag,
  },
  run: ({ args }) => importFromTerminal(args),
})

const stats = defineCommand({
  meta: { name: 'stats', description: 'Totals of the library. Example: nocturne premium stats --json' },
  args: jsonFlag,
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const totals = await countLibrary(db)
      print(args, totals, () => [
        `${pluralize(totals.totalStories, 'story')}, ${pluralize(totals.totalFlows, 'flow')}, ${pluralize(totals.totalAudioFiles, 'audio file')}, ${totals.totalSize}`,
      ])
    }),
})

export default defineCommand({
  meta: {
    name: 'premium',
    description:
      'Premium content: import, list, stats, attach-audio, attach-timings, narrations, restore-narration',
  },
  subCommands: {
    import: importPremium,
    list: listOf('premium'),
    stats,
    'attach-audio': attachAudio,
    'attach-timings': attachTimings,
    narrations: listOfItem,
    'restore-narration': restore,
  },
})

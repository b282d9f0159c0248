import { extname } from 'node:path'
import { defineCommand } from 'citty'
import { choose } from '#cli/choose'
import { jsonFlag, print, printNote } from '#cli/output'
import { choiceOf, fileNamed } from '#cli/value-hints'
import { withServices } from '#cli/with-services'
import { exportCells, exportHeadings, exportRows } from '#src/import/export-rows'
import { toCsv } from '#src/text/csv'
import { pluralize } from '#src/text/pluralize'
import { filterFlags, readFilter } from './list'
import { type Sheet, writeSheetFiles } from './sheet-files'

const formats = ['json', 'csv', 'tsv', 'pipes'] as const
/** The format for a file extension that is not itself the name of a format. */
const formatOfExtension: Record<string, string> = { txt: 'pipes' }

export const exportItems = defineCommand({
  meta: {
    name: 'export',
    description:
      'Writes the library as a file that nocturne stories import takes again, and restores what an operator has given to each item; the audio stays here. What is too much for one import goes on in library-2.csv and so on. Example: nocturne stories export --out library.csv --category romantic',
  },
  args: {
    ...filterFlags,
    format: {
      type: 'string',
      ...choiceOf(formats, `${formats.join(', ')}; without it as --out says, or json`),
    },
    out: { type: 'string', ...fileNamed('A file, instead of standard output') },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const extension = extname(args.out ?? '')
      .slice(1)
      .toLowerCase()
    const named = args.format ?? formatOfExtension[extension] ?? (extension || 'json')
    const format = sheets[choose('format', formats, named)]
    const filter = readFilter(args)
    return withServices(async ({ db }) => {
      const { files, items } = await writeSheetFiles(format, args.out, exportRows(db, filter))
      if (args.out) print(args, { files, items }, () => files)
      printNote(`Exported ${pluralize(items, 'item')}`)
    })
  },
})

const sheets: Record<(typeof formats)[number], Sheet> = {
  json: { head: '[\n', between: ',\n', tail: '\n]\n', line: (row) => JSON.stringify(row) },
  csv: tableOf(','),
  tsv: tableOf('\t'),
  pipes: tableOf('|'),
}

function tableOf(separator: string): Sheet {
  return {
    // Spreadsheet programs read a CSV as UTF-8 only if it begins with this byte order mark.
    head: `\ufeff${toCsv([exportHeadings], separator)}`,
    between: '',
    tail: '',
    line: (row) => toCsv([exportCells(row)], separator),
  }
}

import { extname } from 'node:path'
import { defineCommand } from 'citty'
import { choose } from '#cli/choose'
import { jsonFlag, print, say } from '#cli/output'
import { withParts } from '#cli/with-parts'
import { toCsv } from '#src/csv'
import { exportCells, exportHeadings, exportRows } from '#src/import/export-rows'
import { filterFlags, readFilter } from './list'
import { openParts, type Sheet } from './sheet-parts'

const formats = ['json', 'csv'] as const

export const exportItems = defineCommand({
  meta: {
    name: 'export',
    description:
      'Writes the library as a file that nocturne stories import takes again, without its audio. JSON keeps everything; in a CSV a comma parts a list. What is more than one import takes goes on in library-2.csv and so on. Example: nocturne stories export --out library.csv --category romantic',
  },
  args: {
    ...filterFlags,
    format: { type: 'string', description: `${formats.join(' or ')}; without it as --out says, or json` },
    out: { type: 'string', description: 'A file, instead of standard output' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const named =
      args.format ??
      (extname(args.out ?? '')
        .slice(1)
        .toLowerCase() ||
        'json')
    const format = sheets[choose('format', formats, named)]
    const filter = readFilter(args)
    return withParts(async ({ db }) => {
      const written = openParts(format, args.out)
      let hidden = 0
      for await (const page of exportRows(db, filter)) {
        await written.add(page)
        hidden += page.filter(({ status }) => status !== 'published').length
      }
      const { files, items } = await written.end()
      if (args.out) print(args.json, { files, items }, () => files)
      say(`Exported ${items} items`)
      if (hidden > 0) say(`${hidden} of them are not published: an import publishes what it adds.`)
    })
  },
})

const sheets: Record<(typeof formats)[number], Sheet> = {
  json: { head: '[\n', between: ',\n', tail: '\n]\n', line: (row) => JSON.stringify(row) },
  // Spreadsheets take a CSV for UTF-8 only where it begins with this mark.
  csv: {
    head: `\ufeff${toCsv([exportHeadings])}`,
    between: '',
    tail: '',
    line: (row) => toCsv([exportCells(row)]),
  },
}

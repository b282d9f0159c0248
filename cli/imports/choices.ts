import { UsageError } from '#cli/failure'
import { splitList } from '#src/import/rows/cell'
import type { SheetChoices } from '#src/import/rows/sheet-schema'

/** Options that choose which sheets of a file are imported, and what their columns are. */
export const choiceFlags = {
  sheets: { type: 'string', description: 'Sheets of a workbook, with commas between' },
  columns: {
    type: 'string',
    description: 'What the columns are, by heading or letter: "Titel=Name,D=Text"; "E=" leaves one out',
  },
  'hidden-rows': {
    type: 'boolean',
    description: 'Import rows that are hidden in the sheet too',
    default: false,
  },
} as const

/** Reads the choices from these options. Throws a UsageError for a column without "=". */
export function choicesOf(args: { sheets?: string; columns?: string; 'hidden-rows': boolean }): SheetChoices {
  const { sheets, columns } = args
  return {
    ...(sheets !== undefined && { sheets: splitList(sheets).map((name) => name.trim()) }),
    ...(columns !== undefined && { columns: Object.fromEntries(splitList(columns).map(pairOf)) }),
    ...(args['hidden-rows'] && { hiddenRows: true }),
  }
}

function pairOf(words: string): [string, string] {
  const at = words.lastIndexOf('=')
  if (at < 1)
    throw new UsageError(
      `--columns takes a heading, = and a known column, such as Titel=Name: ${words.trim()}`,
    )
  return [words.slice(0, at).trim(), words.slice(at + 1).trim()]
}

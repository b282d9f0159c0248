import { stat } from 'node:fs/promises'
import { Refusal } from '#src/refusal'
import { decodeText, type Rows, readRows } from './read-rows'
import { readWorkbook } from './read-workbook'
import { sheetBytesMax } from './rules'

const formats: Record<string, 'csv' | 'json' | 'paste' | 'workbook'> = {
  '.csv': 'csv',
  '.json': 'json',
  '.tsv': 'paste',
  '.txt': 'paste',
  '.xlsx': 'workbook',
  '.xls': 'workbook',
  '.ods': 'workbook',
}

/** The extension of a sheet's name, which says how it is read. */
export function sheetKind(fileName: string): string {
  return fileName.match(/\.[a-z0-9]+$/i)?.[0].toLowerCase() ?? ''
}

/** The rows of a file, read as its name says. Throws `invalid` or `too_large` with the mend. */
export async function readSheet(path: string, fileName: string): Promise<Rows> {
  const format = formats[sheetKind(fileName)]
  if (!format)
    throw new Refusal(
      'invalid',
      `Unsupported format: ${JSON.stringify(fileName.slice(0, 80))}. Send .xlsx, .xls, .csv or .json.`,
    )
  if (format === 'workbook') return { rows: await readWorkbook(path), skipped: 0 }
  const { size } = await stat(path)
  if (size > sheetBytesMax)
    throw new Refusal(
      'too_large',
      `This file is larger than ${sheetBytesMax / 1024 / 1024} MB. Cut it into parts.`,
    )
  return readRows(format, decodeText(await Bun.file(path).bytes()))
}

import { parse } from 'node:path'
import { printFile } from '#cli/output'
import type { ExportRow } from '#src/import/export-rows'
import { rowsMax, sheetBytesMax } from '#src/import/rules'
import { explainWriting, openWhole, type WholeFile } from '#src/storage/whole-file'

/** How rows are formatted as the text of a file. */
export type Sheet = { head: string; between: string; tail: string; line(row: ExportRow): string }

/** The limits of one import. */
const importMax = { rows: rowsMax, bytes: sheetBytesMax }

type Write = (text: string) => Promise<void>

/**
 * Writes rows as they arrive, to standard output or to a file. At the size that an import accepts, a file ends and the
 * next one starts. All files get their names together, after the last row, because an import would mistake half a table
 * for a whole one.
 */
export async function writeSheetFiles(
  sheet: Sheet,
  out: string | undefined,
  pages: AsyncIterable<readonly ExportRow[]>,
  max = importMax,
): Promise<{ files: string[]; items: number }> {
  const written = openSheetFiles(sheet, out, max)
  try {
    for await (const page of pages) await written.add(page)
    return await written.end()
  } catch (error) {
    await written.discard()
    throw out === undefined ? error : explainWriting(out, error)
  }
}

function openSheetFiles(sheet: Sheet, out: string | undefined, max: typeof importMax) {
  const files: { name: string; file: WholeFile }[] = []
  let write: Write | null = null
  let items = 0
  let rows = 0
  let bytes = 0

  const begin = async () => {
    if (out === undefined) write = printFile
    else {
      const name = partName(out, files.length + 1)
      const file = await openWhole(name, 'shared')
      files.push({ name, file })
      write = (text) => file.write(Buffer.from(text))
    }
    rows = 0
    bytes = 0
    await write(sheet.head)
  }
  const finish = async () => write?.(sheet.tail)
  const isFull = (more: number) => rows >= max.rows || bytes + more > max.bytes - roomBytes

  return {
    async add(page: readonly ExportRow[]): Promise<void> {
      let text = ''
      for (const row of page) {
        const line = sheet.line(row)
        const lineBytes = Buffer.byteLength(line)
        if (!write || (out !== undefined && isFull(lineBytes))) {
          await write?.(text)
          await finish()
          text = ''
          await begin()
        }
        text += `${rows > 0 ? sheet.between : ''}${line}`
        rows += 1
        items += 1
        bytes += lineBytes + sheet.between.length
      }
      await write?.(text)
    },
    async end(): Promise<{ files: string[]; items: number }> {
      if (!write) await begin()
      await finish()
      for (const { file } of files) await file.commit()
      return { files: files.map(({ name }) => name), items }
    },
    async discard(): Promise<void> {
      for (const { file } of files) await file.discard()
    },
  }
}

/** Bytes reserved for a file's head and tail. */
const roomBytes = 4 * 1024

/** Returns the name of a file: "library.csv", "library-2.csv". */
function partName(out: string, part: number): string {
  const { dir, name, ext } = parse(out)
  return part === 1 ? out : `${dir ? `${dir}/` : ''}${name}-${part}${ext}`
}

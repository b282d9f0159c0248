import { type FileHandle, open } from 'node:fs/promises'
import { parse } from 'node:path'
import { printFile } from '#cli/output'
import type { ExportRow } from '#src/import/export-rows'
import { rowsMax, sheetBytesMax } from '#src/import/rules'

/** How rows become the text of a file. */
export type Sheet = { head: string; between: string; tail: string; line(row: ExportRow): string }

/** What one import takes. */
const importMax = { rows: rowsMax, bytes: sheetBytesMax }

type Write = (text: string) => Promise<void>

/**
 * Writes rows as they come, to standard output or into a file; a file is split at the size that an import accepts,
 * and continues in the next.
 */
export function openSheetFiles(sheet: Sheet, out: string | undefined, max = importMax) {
  const files: string[] = []
  let handle: FileHandle | null = null
  let write: Write | null = null
  let items = 0
  let rows = 0
  let bytes = 0

  const begin = async () => {
    if (out === undefined) write = printFile
    else {
      const file = partName(out, files.length + 1)
      const opened = await open(file, 'w')
      files.push(file)
      handle = opened
      write = async (text) => void (await opened.writeFile(text))
    }
    rows = 0
    bytes = 0
    await write(sheet.head)
  }
  const finish = async () => {
    await write?.(sheet.tail)
    await handle?.close()
  }
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
      return { files, items }
    },
  }
}

/** For the first and the last file. */
const roomBytes = 4 * 1024

/** "library.csv", "library-2.csv". */
function partName(out: string, part: number): string {
  const { dir, name, ext } = parse(out)
  return part === 1 ? out : `${dir ? `${dir}/` : ''}${name}-${part}${ext}`
}

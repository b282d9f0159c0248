import { placeWords, problemSentence } from '#src/import/place-words'
import { chooseRows, type SourceRow } from '#src/import/rows/choose-rows'
import { decodeRow, type ImportItem } from '#src/import/rows/decode-row'
import { decodeBytes } from '#src/import/rows/decode-text'
import { readRows } from '#src/import/rows/read-rows'
import { durationMinutesDefault } from '#src/story/rules'

/** A row of the bulk list: the item to upload and its progress. */
export type UploadItem = ImportItem & {
  key: string
  duration: number
  state: 'waiting' | 'done' | 'failed'
  problem?: string
}

const formats: Record<string, 'json' | 'csv'> = { json: 'json', csv: 'csv' }

/** Items that were read from a file. `notes` say what was left out, and how unclear values were interpreted. */
export type ImportedItems = { items: UploadItem[]; notes: string[]; fileName: string }

/** Reads the items of a JSON or CSV file, with the defaults of an import. Returns null for any other kind of file. */
export async function readItems(file: File): Promise<ImportedItems | null> {
  const format = formats[file.name.split('.').at(-1)?.toLowerCase() ?? '']
  if (!format) return null
  const { text, note } = await decodeBytes(new Uint8Array(await file.arrayBuffer()))
  const { rows, notes } = chooseRows(readRows(format, text))
  const decoded = rows.map((row) => ({ row, ...decodeRow(row) })).filter(({ isEmpty }) => !isEmpty)
  const taken = decoded.flatMap(({ row, warnings }) =>
    warnings.map((warning) => `${placeWords({ row: row.row })}: ${warning}`),
  )
  return {
    items: decoded.map(({ row }) => toUpload(row)),
    notes: [...(note ? [note] : []), ...notes, ...taken],
    fileName: file.name,
  }
}

/** An empty item. */
export function blankItem(): UploadItem {
  return { ...toUpload({ row: 1, cells: {} }), title: '' }
}

function toUpload(row: SourceRow): UploadItem {
  const { item, problems } = decodeRow(row)
  const problem = problems.map(problemSentence).join(' ')
  return {
    ...item,
    key: crypto.randomUUID(),
    duration: item.duration ?? durationMinutesDefault,
    state: problem ? 'failed' : 'waiting',
    ...(problem && { problem }),
  }
}

let importedItems: ImportedItems | null = null

/** Passes items from "Import File" on the overview to the list of the bulk tab. Both share this module. */
export function passImportedItems(imported: ImportedItems): void {
  importedItems = imported
}

export function takeImportedItems(): ImportedItems | null {
  const taken = importedItems
  importedItems = null
  return taken
}

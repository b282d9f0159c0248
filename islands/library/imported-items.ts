import { decodeRow, type ImportItem } from '#src/import/rows/decode-row'
import { readRows, type SourceRow } from '#src/import/rows/read-rows'
import { durationMinutesDefault } from '#src/story/rules'

/** A line of the bulk list: the item to upload, and its progress. */
export type UploadItem = ImportItem & {
  key: string
  duration: number
  state: 'waiting' | 'done' | 'failed'
  problem?: string
}

const formats: Record<string, 'json' | 'csv'> = { json: 'json', csv: 'csv' }

/** The items of a JSON or CSV file, with the defaults of an import. Null for any other kind of file. */
export async function readItems(file: File): Promise<UploadItem[] | null> {
  const format = formats[file.name.split('.').at(-1)?.toLowerCase() ?? '']
  if (!format) return null
  const { rows } = readRows(format, await file.text())
  return rows.filter((row) => !decodeRow(row).isEmpty).map(toUpload)
}

/** An empty item. */
export function blankItem(): UploadItem {
  return { ...toUpload({ row: 1, cells: {} }), title: '' }
}

function toUpload(row: SourceRow): UploadItem {
  const { item, problems } = decodeRow(row)
  const problem = problems.map(({ message }) => message).join(' ')
  return {
    ...item,
    key: crypto.randomUUID(),
    duration: item.duration ?? durationMinutesDefault,
    state: problem ? 'failed' : 'waiting',
    ...(problem && { problem }),
  }
}

let importedItems: { items: UploadItem[]; fileName: string } | null = null

/** From "Import File" on the overview to the list of the bulk tab: both share this module. */
export function passImportedItems(items: UploadItem[], fileName: string): void {
  importedItems = { items, fileName }
}

export function takeImportedItems(): { items: UploadItem[]; fileName: string } | null {
  const taken = importedItems
  importedItems = null
  return taken
}

import type { ImportItem } from '#src/import/decode-row'
import { decodeRow } from '#src/import/decode-row'
import { readRows } from '#src/import/read-rows'

/** A line of the bulk list: what will be uploaded, and how far it is. */
export type UploadItem = Pick<
  ImportItem,
  | 'title'
  | 'type'
  | 'voice'
  | 'categories'
  | 'tags'
  | 'description'
  | 'excerpt'
  | 'content'
  | 'generateAudio'
  | 'contentNotes'
> & { key: string; duration: number; state: 'waiting' | 'done' | 'failed'; problem?: string }

const formats: Record<string, 'json' | 'csv'> = { json: 'json', csv: 'csv' }

/** The items of a JSON or CSV file, with the defaults of operator.md §5. Null for any other kind of file. */
export async function readItems(file: File): Promise<UploadItem[] | null> {
  const format = formats[file.name.split('.').at(-1)?.toLowerCase() ?? '']
  if (!format) return null
  const { rows } = readRows(format, await file.text())
  return rows.flatMap((row) => {
    const { item, problems, isEmpty } = decodeRow(row)
    if (isEmpty) return []
    const problem = problems.map(({ message }) => message).join(' ')
    return [
      {
        ...item,
        key: crypto.randomUUID(),
        duration: item.duration ?? 15,
        state: problem ? ('failed' as const) : ('waiting' as const),
        ...(problem && { problem }),
      },
    ]
  })
}

let handedOver: { items: UploadItem[]; fileName: string } | null = null

/** From "Import File" on the overview to the list of the bulk tab: both share this module. */
export function handOver(items: UploadItem[], fileName: string): void {
  handedOver = { items, fileName }
}

export function takeHandedOver(): { items: UploadItem[]; fileName: string } | null {
  const taken = handedOver
  handedOver = null
  return taken
}

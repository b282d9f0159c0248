import { saveFile } from '#islands/runtime/save-file'

/** Offers rows as a CSV download. The writer is loaded on demand, because few visitors of a page export it. */
export async function saveCsv(name: string, rows: (string | number)[][]): Promise<void> {
  const { toCsv } = await import('#src/text/csv')
  saveFile(name, 'text/csv', toCsv(rows))
}

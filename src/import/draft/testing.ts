import { utils, write } from 'xlsx'
import type { Browser } from '#src/testing/app'
import type { DraftFile, ImportDraft } from './schema'

const heading = ['Name', 'Voice', 'Categories', 'Short Description', 'Audio Length', 'Text']

export const sheetRow = (name: string, text = `${name} began.`, voice = 'female') => [
  name,
  voice,
  'romantic, man and woman',
  `About ${name}.`,
  14,
  text,
]

/** A sheet with the columns of the template, as a spreadsheet program writes it. */
export function sheetFile(fileName: string, rows: unknown[][], columns: string[] = heading): File {
  const book = { Sheets: { one: utils.aoa_to_sheet([columns, ...rows]) }, SheetNames: ['one'] }
  const bookType = fileName.endsWith('.xls') ? 'biff8' : fileName.endsWith('.csv') ? 'csv' : 'xlsx'
  return new File([write(book, { type: 'buffer', bookType })], fileName)
}

/** Begins an import for an operator, step by step as the console does it. */
export async function beginImport(who: Browser, files: ImportDraft['files'][number]['fileName'][] = []) {
  const begun: ImportDraft = await who.json('/api/import-drafts', {
    json: { files: files.map((fileName) => ({ fileName, sizeBytes: 1 })) },
  })
  const path = `/api/import-drafts/${begun.id}`
  const send = (part: 'sheet' | 'files', file: File): Promise<Response> => {
    const body = new FormData()
    body.set(part === 'sheet' ? 'excel' : 'file', file)
    return who.call(`${path}/${part}`, { method: 'POST', body })
  }
  return {
    id: begun.id,
    path,
    sheet: (file: File) => send('sheet', file),
    file: async (file: File): Promise<DraftFile> => (await send('files', file)).json(),
    announce: (named: { fileName: string; sizeBytes: number; hash?: string }[]): Promise<ImportDraft> =>
      who.json(`${path}/files`, { method: 'PUT', json: { files: named } }),
    look: (): Promise<ImportDraft> => who.json(path),
    apply: (json: object = {}, headers = {}): Promise<Response> =>
      who.call(`${path}/apply`, { json, headers }),
  }
}

import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type { Sql } from 'postgres'
import { fixFormats, listTables } from './catalogue'
import { countTable, type Rows } from './copy-rows'
import type { Manifest } from './manifest'

/** The number and hash of the rows of every table in a database, by table name. */
export async function contentOf(sql: Sql): Promise<Record<string, Rows>> {
  return await sql.begin(async (tx) => {
    await fixFormats(tx)
    const content: Record<string, Rows> = {}
    for (const table of await listTables(tx)) content[table.name] = await countTable(tx, table)
    return content
  })
}

/** Writes a copy of a backup with changes: `edit` changes its files and its manifest in place. */
export async function rewrite(
  from: string,
  to: string,
  edit: (files: Record<string, Uint8Array>, manifest: Manifest) => void,
): Promise<string> {
  const files = unzipSync(await Bun.file(from).bytes())
  const manifest: Manifest = JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array()))
  edit(files, manifest)
  files['manifest.json'] = strToU8(JSON.stringify(manifest))
  await Bun.write(to, zipSync(files, { level: 0 }))
  return to
}

/** Replaces the rows of a table in a backup, and their counts and hashes in the manifest. */
export function replaceRows(
  files: Record<string, Uint8Array>,
  manifest: Manifest,
  name: string,
  text: string,
): void {
  const table = manifest.tables.find((each) => each.name === name)
  if (!table) throw new Error(`The backup has no table ${name}.`)
  files[`tables/${name}.copy.gz`] = Bun.gzipSync(Buffer.from(text))
  table.rows = text.split('\n').length - 1
  table.bytes = Buffer.byteLength(text)
  table.sha256 = new Bun.CryptoHasher('sha256').update(text).digest('hex')
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const folder = join(import.meta.dir, '../../docs/deploy')

/** The files of docs/deploy that a finding may print. */
type DeployFile = 'Caddyfile' | 'pgbouncer.ini' | 'nocturne-backup.service' | 'nocturne-backup.timer'

/** Returns a file of docs/deploy, with this installation's values in place of the example's. */
export async function deployFile(name: DeployFile, words: Readonly<Record<string, string>>): Promise<string> {
  const text = await readFile(join(folder, name), 'utf8')
  return Object.entries(words).reduce((file, [example, own]) => file.replaceAll(example, own), text.trim())
}

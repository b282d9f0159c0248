import { UsageError } from '#cli/failure'
import { printNote } from '#cli/output'
import { decodeBytes } from '#src/import/rows/decode-text'

/** Reads the text of a file, or of standard input for `-`. Throws `invalid` if it is not text. */
export async function readText(file: string): Promise<string> {
  if (file !== '-') await requireFile(file)
  const { text, note } = await decodeBytes(await (file === '-' ? Bun.stdin : Bun.file(file)).bytes())
  if (note) printNote(note)
  return text
}

/** Throws a UsageError if the file does not exist. */
export async function requireFile(file: string): Promise<void> {
  const found = await Bun.file(file)
    .stat()
    .catch(() => null)
  if (!found?.isFile()) throw new UsageError(`There is no file ${file}.`)
}

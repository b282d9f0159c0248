import { UsageError } from '#cli/failure'
import { printNote } from '#cli/output'
import { decodeBytes } from '#src/import/rows/decode-text'

/** The text of a file, or of standard input where the file is called `-`. Throws `invalid` for what is no text. */
export async function readText(file: string): Promise<string> {
  if (file !== '-') await requireFile(file)
  const { text, note } = await decodeBytes(await (file === '-' ? Bun.stdin : Bun.file(file)).bytes())
  if (note) printNote(note)
  return text
}

/** Throws a UsageError where there is no such file. */
export async function requireFile(file: string): Promise<void> {
  const found = await Bun.file(file)
    .stat()
    .catch(() => null)
  if (!found?.isFile()) throw new UsageError(`There is no file ${file}.`)
}

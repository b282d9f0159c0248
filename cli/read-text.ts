import { UsageError } from '#cli/failure'
import { decodeText } from '#src/import/rows/read-rows'

/** The text of a file, or of standard input where the file is called `-`. Throws `invalid` for no UTF-8. */
export async function readText(file: string): Promise<string> {
  if (file !== '-') await requireFile(file)
  const text = await decodeText((file === '-' ? Bun.stdin : Bun.file(file)).stream())
  return text.replace(/^\ufeff/, '')
}

/** Throws a UsageError where there is no such file. */
export async function requireFile(file: string): Promise<void> {
  const found = await Bun.file(file)
    .stat()
    .catch(() => null)
  if (!found?.isFile()) throw new UsageError(`There is no file ${file}.`)
}

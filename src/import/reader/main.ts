import { readFileSync } from 'node:fs'
import { AppError } from '#src/app-error'
import { type ImportFormat, importFormats, readerDataBytesMax } from '../rules'
import type { ReaderMessage } from './message'
import { noteGarbage } from './note-garbage'
import { readFileRows } from './read-file'
import { tooMuchWords } from './too-much-words'

/** Entry point of the reading process: takes a file's path and its format, writes messages to stdout. */
const [, , path = '', named = ''] = process.argv
const format = importFormats.find((each) => each === named)
if (!format) throw new Error(`There is no format ${named}.`)
if (process.platform !== 'linux') new Worker(new URL('./watch-memory.ts', import.meta.url))

const output = Bun.stdout.writer()
/** Backpressure: limits the buffer of data that the parent has not read yet. */
const unsentCharactersMax = 64 * 1024
let unsentCharacters = 0

try {
  const rows = readFileRows(path, format)
  let next = await rows.next()
  for (; !next.done; next = await rows.next()) await send({ row: next.value })
  await send({ found: next.value })
} catch (error) {
  await send({ refusal: refusalOf(error, format) })
}
await output.end()
process.exit(0)

async function send(message: ReaderMessage): Promise<void> {
  const line = `${JSON.stringify(message)}\n`
  output.write(line)
  unsentCharacters += line.length
  if (unsentCharacters < unsentCharactersMax) return
  await output.flush()
  noteGarbage(unsentCharacters * 2)
  unsentCharacters = 0
}

/** Close to the kernel's limit any call may fail, each with its own error message. */
function isNearLimit(): boolean {
  if (process.platform !== 'linux') return false
  const status = readFileSync('/proc/self/status', 'utf8')
  const dataBytes = Number(/VmData:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
  return dataBytes > readerDataBytesMax * 0.95
}

function refusalOf(error: unknown, format: ImportFormat): { code: AppError['code']; message: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message }
  const isMemory = (error instanceof Error && /memory/i.test(error.message)) || isNearLimit()
  const message = isMemory
    ? tooMuchWords('memory', format)
    : 'This file could not be read. Open it in a spreadsheet program, save it as .xlsx or as CSV UTF-8, and try again.'
  return { code: 'invalid', message }
}

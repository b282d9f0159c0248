import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#src/app-error'
import type { RawSheet } from '#src/import/rows/choose-rows'
import type { RawRow } from '#src/import/rows/open-table'
import { createTimeSlicer } from '#src/process/time-slice'
import type { ReaderMessage } from './reader/message'
import { tooMuchWords } from './reader/too-much-words'
import {
  type ImportFormat,
  readerDataBytesMax,
  readerOutputBytesMax,
  readerSecondsMax,
  readersMax,
  sheetBytesMax,
  textSheetBytesMax,
} from './rules'

const formats: Record<string, ImportFormat> = {
  '.csv': 'csv',
  '.json': 'json',
  '.tsv': 'paste',
  '.txt': 'paste',
  '.xlsx': 'workbook',
  '.xls': 'workbook',
  '.ods': 'workbook',
}

/** The extension of a sheet's name, which decides how it is read. */
export function sheetKind(fileName: string): string {
  return fileName.match(/\.[a-z0-9]+$/i)?.[0].toLowerCase() ?? ''
}

/**
 * Reads the whole content of a file in a separate process with limited memory, time and output. The format follows from
 * the content and the extension; without an extension, from the content alone.
 * Throws `invalid` or `too_large` with the fix.
 */
export async function readSheet(path: string, fileName: string): Promise<RawSheet> {
  const kind = sheetKind(fileName)
  const format = kind === '' ? await formatInside(path) : formats[kind]
  if (!format)
    throw new AppError(
      'invalid',
      `Unsupported format: ${JSON.stringify(fileName.slice(0, 80))}. Send .xlsx, .xls, .csv or .json.`,
    )
  const bytesMax = format === 'workbook' ? sheetBytesMax : textSheetBytesMax
  if ((await stat(path)).size > bytesMax)
    throw new AppError(
      'too_large',
      `This file is larger than ${bytesMax / 1024 / 1024} MB. Split it into parts.`,
    )
  return inTurn(() => readInProcess(path, format))
}

/**
 * Detects the format by content. JSON begins with a bracket. Everything else is read as CSV, whose reader also accepts
 * pipes, tabs and workbooks.
 */
async function formatInside(path: string): Promise<ImportFormat> {
  const head = await Bun.file(path).slice(0, 1_024).text()
  return /^\s*[[{]/.test(head) ? 'json' : 'csv'
}

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= readersMax) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

async function readInProcess(path: string, format: ImportFormat): Promise<RawSheet> {
  const reader = Bun.spawn(readerCommand(path, format), {
    stdout: 'pipe',
    stderr: 'ignore',
    env: {
      NODE_ENV: 'production',
      // These two make the engine count only memory in use against the limit, not the gigabytes that it would reserve.
      // Without the first, it finds no room for its compiler and is ten times as slow.
      BUN_JSC_jitMemoryReservationSize: String(32 * 1024 * 1024),
      MIMALLOC_ARENA_EAGER_COMMIT: '0',
      // Configures the garbage collector for a small machine.
      BUN_JSC_forceRAMSize: String(128 * 1024 * 1024),
    },
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    reader.kill('SIGKILL')
  }, readerSecondsMax * 1_000)
  try {
    const rows = await receiveRows(reader.stdout)
    if (rows) return rows
    throw new AppError('invalid', tooMuchWords(isLate ? 'time' : 'memory', format))
  } finally {
    clearTimeout(timer)
    reader.kill('SIGKILL')
    await reader.exited
  }
}

/** On Linux the process runs under a kernel limit; elsewhere it watches its own memory (reader/watch-memory.ts). */
function readerCommand(path: string, format: ImportFormat): string[] {
  const command = [process.execPath, '--smol', join(import.meta.dir, 'reader/main.ts'), path, format]
  if (process.platform !== 'linux') return command
  // RLIMIT_AS cannot be used: the engine reserves more addresses than any machine has memory.
  const limits = `ulimit -c 0; ulimit -d ${readerDataBytesMax / 1024} && exec "$@"`
  return ['/bin/sh', '-c', limits, 'reader', ...command]
}

/** Receives the rows that the reader sends. Null if the reader ended before the last one. Throws the reader's error. */
async function receiveRows(output: ReadableStream<Uint8Array>): Promise<RawSheet | null> {
  const pause = createTimeSlicer()
  const rows: RawRow[] = []
  for await (const line of linesOf(output)) {
    await pause()
    const message: ReaderMessage = JSON.parse(line)
    if ('refusal' in message) throw new AppError(message.refusal.code, message.refusal.message)
    if ('found' in message) {
      const { dropped, ...found } = message.found
      return { rows: rows.filter(({ sheet }) => !dropped.includes(sheet)), ...found }
    }
    rows.push(message.row)
  }
  return null
}

/** Yields the whole lines of a stream. Throws `invalid` once it exceeds the allowed bytes of a sheet. */
async function* linesOf(output: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  let bytes = 0
  for await (const chunk of output) {
    bytes += chunk.byteLength
    if (bytes > readerOutputBytesMax)
      throw new AppError(
        'invalid',
        `The rows of this sheet hold more than ${readerOutputBytesMax / 1024 / 1024} MB of text. Split it into parts of fewer rows.`,
      )
    const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n')
    pieces.push(first)
    for (const piece of rest) {
      yield pieces.join('')
      pieces = [piece]
    }
  }
}

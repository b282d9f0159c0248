import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { AppError } from '#src/app-error'
import { readSheet } from '../read-sheet'

/**
 * Program that tests run as a separate process, a server that does nothing but read a sheet. It writes the outcome and
 * the memory used: the reader's peak and the server's growth together (from /proc).
 */
export type ReadingMeasured = { words: string; code: string | null; rows: number; peakBytes: number }

const [, , path = ''] = process.argv
const atRest = bytesOf('self', 'VmRSS')
let reader = 0
let server = atRest
const timer = setInterval(look, 5)
const outcome = await readSheet(path, basename(path)).then(
  ({ rows }) => ({ words: '', code: null, rows: rows.length }),
  (error: unknown) => {
    if (error instanceof AppError) return { words: error.message, code: error.code, rows: 0 }
    throw error
  },
)
look()
clearInterval(timer)
const measured: ReadingMeasured = { ...outcome, peakBytes: reader + server - atRest }
process.stdout.write(JSON.stringify(measured))
process.exit(0)

function look(): void {
  server = Math.max(server, bytesOf('self', 'VmHWM'))
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
  for (const pid of children.split(' ').filter(Boolean)) reader = Math.max(reader, bytesOf(pid, 'VmHWM'))
}

function bytesOf(pid: string, name: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(status.match(new RegExp(`${name}:\\s+(\\d+)`))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

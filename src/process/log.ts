import { writeSync } from 'node:fs'
import { currentTrace } from './trace'

/** Structured log: one JSON object per line. It never contains a secret, or a title or a text of an item. */
export type Log = ReturnType<typeof createLog>
export type LogLevel = (typeof levels)[number]
type Fields = Record<string, string | number | boolean | null | undefined>

const levels = ['debug', 'info', 'warn', 'error'] as const

/** Creates a log that writes at `level` and above; `write` receives whole lines. */
export function createLog(level: LogLevel, write: (line: string) => void = writeToStandardError) {
  const from = levels.indexOf(level)
  const log =
    (at: LogLevel) =>
    (message: string, fields: Fields = {}) => {
      if (levels.indexOf(at) < from) return
      const line = { time: new Date().toISOString(), level: at, message, ...traceFields(), ...fields }
      write(`${JSON.stringify(line)}\n`)
    }
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}

/** The fields by which all lines of a request, of the jobs it queued, and of its client's trace can be found. */
function traceFields(): Fields {
  const trace = currentTrace()
  if (trace === null) return {}
  return { ...(trace.requestId !== null && { requestId: trace.requestId }), traceId: trace.traceId }
}

/**
 * Writes synchronously, and drops the line if that fails. If standard error is a file on a full disk, the runtime's own
 * stream ends the process, or stays broken when there is space again.
 */
function writeToStandardError(line: string): void {
  const bytes = Buffer.from(line)
  for (let at = 0, waits = 0; at < bytes.byteLength; ) {
    try {
      at += writeSync(2, bytes, at)
    } catch (error) {
      // The reader of a pipe may be busy for a moment.
      const isBusy = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
      if (!isBusy || waits >= 20) return
      waits += 1
      Bun.sleepSync(1)
    }
  }
}

/** An error as log fields: what it is and where it was thrown, with the chain of its causes. */
export function errorFields(error: unknown): Fields {
  const chain: string[] = []
  for (
    let each: unknown = error;
    each !== undefined && chain.length < 5;
    each = each instanceof Error ? each.cause : undefined
  ) {
    chain.push(describeError(each))
  }
  return { error: chain.join('\ncaused by: ').slice(0, 8_000) }
}

/**
 * Describes an error by its name, its codes, its statement and its location. Its message is omitted: a driver's repeats
 * the parameters of the query, a mail server's the address, a parser's the text, a provider's the key.
 */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`
  const details = detailNames.flatMap((name) => {
    const value: unknown = Reflect.get(error, name)
    return isPlainDetail(value) ? [`${name}=${value}`] : []
  })
  const head = [error.name, engineMessage(error), ...details].filter(Boolean).join(' ')
  const statement = 'query' in error && typeof error.query === 'string' ? error.query : null
  return [head, ...(statement ? [`statement: ${withoutValues(statement)}`] : []), ...placeOf(error)].join(
    '\n',
  )
}

/** Fields that the system, PostgreSQL and providers add to their errors. */
const detailNames = [
  'code',
  'status',
  'responseCode',
  'syscall',
  'routine',
  'table_name',
  'column_name',
  'constraint_name',
] as const

function isPlainDetail(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && /^\w{1,64}$/.test(value))
}

/**
 * The message of an error of the JavaScript engine. It names code, not data, except for what it quotes, which is
 * removed.
 */
function engineMessage(error: Error): string {
  const isOfEngine = [TypeError, RangeError, ReferenceError].some((each) => error.constructor === each)
  return isOfEngine ? error.message.replace(/(["'`“]).*["'`”]/s, '$1…').slice(0, 200) : ''
}

/** Removes literals from a statement; its parameters are not part of it. */
export function withoutValues(statement: string): string {
  return statement
    .replace(/'(?:[^']|'')*'/g, "'…'")
    .replace(/\s+/g, ' ')
    .slice(0, 1_000)
}

/** The lines of the stack after the message, which may itself have several lines. */
function placeOf({ name, message, stack = '' }: Error): string[] {
  const head = `${name}: ${message}`
  const lines = (stack.startsWith(head) ? stack.slice(head.length) : stack).split('\n')
  return lines.filter((line) => /^\s+at .*(:\d+:\d+\)?|\((native|unknown)[^)]*\))$/.test(line))
}

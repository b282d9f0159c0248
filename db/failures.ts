/** Whether a unique constraint (the named one, or any) rejected the write. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const cause = rootOf(error)
  return cause.code === '23505' && (constraint === undefined || cause.constraint_name === constraint)
}

/**
 * Reasons for which a correct query fails: the database is away or read-only, a disk is full or takes no writes, memory
 * is full, or others change the same rows (then nothing was written, and a retry succeeds).
 */
export type Shortage = 'database' | 'disk' | 'memory' | 'contention'

/** Whether a retry may succeed: the query itself was right. */
export function isUnavailable(error: unknown): boolean {
  return shortageOf(error) !== null
}

/** The shortage behind an error; null for other errors, which are bugs unless somebody expects them. */
export function shortageOf(error: unknown): Shortage | null {
  const { code = '', syscall } = rootOf(error)
  // A missing socket file means that the database is away; any other missing file does not.
  if (code === 'ENOENT') return syscall === 'connect' ? 'database' : null
  return shortages[code] ?? (/^08...$/.test(code) ? 'database' : null)
}

/**
 * Every code that is no bug: of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html; class 08
 * is above), of the driver and of the system. `shortageWords` has what each is answered with, and after how long a
 * retry makes sense.
 */
const shortages: Readonly<Record<string, Shortage>> = {
  // postgres.js
  CONNECTION_CLOSED: 'database',
  CONNECTION_DESTROYED: 'database',
  CONNECTION_ENDED: 'database',
  CONNECT_TIMEOUT: 'database',
  TLS_MISSING: 'database',
  // the system
  ECONNREFUSED: 'database',
  ECONNRESET: 'database',
  EPIPE: 'database',
  ETIMEDOUT: 'database',
  EHOSTUNREACH: 'database',
  ENETUNREACH: 'database',
  ENOTFOUND: 'database',
  EAI_AGAIN: 'database',
  // the file system: no room, no room for this user, no room for a file that long; it only reads, as after a failure
  ENOSPC: 'disk',
  EDQUOT: 'disk',
  EFBIG: 'disk',
  EROFS: 'disk',
  // PostgreSQL: disk full, out of memory, too many connections, a limit of its configuration
  '53100': 'disk',
  '53200': 'memory',
  '53300': 'database',
  '53400': 'database',
  // read only: a standby, before or after a failover
  '25006': 'database',
  // shut down by the administrator, crashed, starting up, dropped
  '57P01': 'database',
  '57P02': 'database',
  '57P03': 'database',
  '57P04': 'database',
  // the role, its password, or the database is not there any more: an operator is at work
  '28000': 'database',
  '28P01': 'database',
  '3D000': 'database',
  // serialization failure (a standby: conflict with recovery), deadlock, a lock not had in time
  '40001': 'contention',
  '40P01': 'contention',
  '55P03': 'contention',
}

/**
 * PostgreSQL stores no NUL, in a text (22021) or within JSON (22P05), and no half of a surrogate pair within
 * JSON (22P02 of its JSON reader): such a text is the sender's mistake, whatever column it was meant for.
 */
export function isUnstorable(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (!('code' in each)) continue
    if (each.code === '22021' || each.code === '22P05') return true
    if (each.code === '22P02' && 'routine' in each && /json/.test(String(each.routine))) return true
  }
  return false
}

/** The message for the sender. */
export const unstorableMessage = 'A text holds a character that cannot be kept, such as NUL. Take it out.'

/** The code of an error, of PostgreSQL, the driver or the system; "" where it has none. */
export function codeOf(error: unknown): string {
  return rootOf(error).code ?? ''
}

interface DriverError {
  code?: string
  syscall?: string
  constraint_name?: string
}

/** Drizzle wraps what the driver threw; the code is on the innermost cause. */
function rootOf(error: unknown): DriverError {
  let root = error
  while (root instanceof Error && root.cause instanceof Error) root = root.cause
  return isDriverError(root) ? root : {}
}

function isDriverError(error: unknown): error is DriverError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

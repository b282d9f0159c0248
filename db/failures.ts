/** Whether a unique constraint (the named one, or any) rejected the write. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const cause = rootOf(error)
  return cause.code === '23505' && (constraint === undefined || cause.constraint_name === constraint)
}

/**
 * The table whose row a write refers to and no longer finds; null for other errors. Names of foreign keys end with the
 * table and the column that they refer to.
 */
export function missingReferenceOf(error: unknown): 'users' | 'stories' | null {
  const { code, constraint_name: constraint = '' } = rootOf(error)
  if (code !== '23503') return null
  return (['users', 'stories'] as const).find((table) => constraint.endsWith(`_${table}_id_fk`)) ?? null
}

/**
 * Reasons for which a correct query can fail: the database is unavailable or read-only, a disk is full or rejects
 * writes, memory is exhausted, or others change the same rows (then nothing was written, and a retry succeeds).
 */
export type Shortage = 'database' | 'disk' | 'memory' | 'contention'

/** Whether a retry may succeed, because the query itself was right. */
export function isUnavailable(error: unknown): boolean {
  return shortageOf(error) !== null
}

/** Returns the shortage behind an error. Null for other errors, which are bugs unless the caller expects them. */
export function shortageOf(error: unknown): Shortage | null {
  const { code = '', syscall } = rootOf(error)
  // A missing socket file means that the database is unavailable; any other missing file does not.
  if (code === 'ENOENT') return syscall === 'connect' ? 'database' : null
  return shortages[code] ?? (/^08...$/.test(code) ? 'database' : null)
}

/**
 * Every error code that is not a bug: of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html;
 * class 08 is handled above), of the driver and of the system. `shortageWords` has the response for each, and after how
 * long a retry makes sense.
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
  // the file system: no space, quota exceeded, file too large, read-only (as after a failure)
  ENOSPC: 'disk',
  EDQUOT: 'disk',
  EFBIG: 'disk',
  EROFS: 'disk',
  // PostgreSQL: disk full, out of memory, too many connections, a limit of its configuration
  '53100': 'disk',
  '53200': 'memory',
  '53300': 'database',
  '53400': 'database',
  // read-only: a standby, before or after a failover
  '25006': 'database',
  // shut down by the administrator, crashed, starting up, dropped
  '57P01': 'database',
  '57P02': 'database',
  '57P03': 'database',
  '57P04': 'database',
  // the role, its password, or the database has been removed or changed: an operator is at work
  '28000': 'database',
  '28P01': 'database',
  '3D000': 'database',
  // serialization failure (on a standby: conflict with recovery), deadlock, lock timeout
  '40001': 'contention',
  '40P01': 'contention',
  '55P03': 'contention',
}

/**
 * Whether a text cannot be stored. PostgreSQL accepts no NUL in a text (22021) or within JSON (22P05), and no half of a
 * surrogate pair within JSON (22P02 from its JSON reader). That is the sender's mistake, whatever column the text was
 * meant for.
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

/** Returns the code of an error of PostgreSQL, the driver or the system; "" if it has none. */
export function codeOf(error: unknown): string {
  return rootOf(error).code ?? ''
}

interface DriverError {
  code?: string
  syscall?: string
  constraint_name?: string
}

/** Returns the innermost cause, which has the code. Drizzle wraps the driver's errors. */
function rootOf(error: unknown): DriverError {
  let root = error
  while (root instanceof Error && root.cause instanceof Error) root = root.cause
  return isDriverError(root) ? root : {}
}

function isDriverError(error: unknown): error is DriverError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

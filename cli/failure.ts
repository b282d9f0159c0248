import { isUnavailable, isUnkeepable, unkeepableMessage } from '#db/db'
import { EnvError } from '#src/env'
import { Refusal } from '#src/refusal'

/** The words of a command that cannot be what was meant: exit code 2. */
export class UsageError extends Error {}

/** 1: refused or failed; 2: wrong usage. The one place where an error becomes an exit code. */
export function exitCodeOf(error: unknown): 1 | 2 {
  const isUsage =
    error instanceof UsageError ||
    (error instanceof Error &&
      (error.name === 'CLIError' || ('code' in error && String(error.code).startsWith('E_'))))
  return isUsage ? 2 : 1
}

/** What a person at a terminal needs to know of an error; a bug shows its stack. */
export function explain(error: unknown): string {
  if (error instanceof Refusal) return [error.message, ...otherFields(error)].join('\n')
  if (error instanceof UsageError || error instanceof EnvError) return error.message
  if (isUnkeepable(error)) return unkeepableMessage
  if (isUnavailable(error))
    return 'The database cannot be reached. Is DATABASE_URL right, and the server up? `nocturne doctor` looks.'
  // A file that cannot be read or written: the system's sentence names it.
  if (error instanceof Error && 'syscall' in error && 'path' in error) return error.message
  if (error instanceof Error && exitCodeOf(error) === 2) return `${error.message}. See --help.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The sentence of a refusal is about its first field: the others get a line each. */
function otherFields({ fields = [] }: Refusal): string[] {
  return fields.slice(1).map(({ path, message }) => `${path}: ${message}`)
}

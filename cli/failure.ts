import { Stopped } from '#cli/stoppable'
import { isUnstorable, shortageOf, unstorableMessage } from '#db/failures'
import { AppError } from '#src/app-error'
import { shortageWords } from '#src/disk/rules'
import { EnvError } from '#src/env'
import { errorFields } from '#src/process/log'
import { fieldSentence } from '#src/shape/invalid-field'

/** Wrong usage of a command. The exit code is 2. */
export class UsageError extends Error {}

/**
 * Returns the exit code of an error. 1: refused or failed; 2: wrong usage; otherwise stopped by a signal. This is the
 * only place where an error becomes an exit code.
 */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Stopped) return error.exitCode
  const isUsage =
    error instanceof UsageError ||
    (error instanceof Error &&
      (error.name === 'CLIError' || ('code' in error && String(error.code).startsWith('E_'))))
  return isUsage ? 2 : 1
}

/** Describes an error for the terminal. A bug includes its stack. */
export function explain(error: unknown): string {
  if (error instanceof AppError) return [error.message, ...otherFields(error)].join('\n')
  if (error instanceof UsageError || error instanceof EnvError || error instanceof Stopped)
    return error.message
  if (isUnstorable(error)) return unstorableMessage
  const shortage = shortageOf(error)
  if (shortage && shortage !== 'database') return shortageWords[shortage].message
  if (shortage)
    return 'The database cannot be reached. Is DATABASE_URL right, and the server running? See `nocturne doctor`.'
  // A file could not be read or written. The system's message names it.
  if (error instanceof Error && 'syscall' in error && 'path' in error) return error.message
  if (error instanceof Error && exitCodeOf(error) === 2) return `${error.message}. See --help.`
  // Terminal output may be logged, and the message of a failed query repeats its parameters, so they are left out.
  return String(errorFields(error).error)
}

/** Returns the error as JSON for stdout with --json, with the field names of the API's errors. */
export function failureDocument(error: unknown): object {
  const message = explain(error)
  const told = { success: false, error: message, message, code: codeOf(error) }
  return error instanceof AppError
    ? { ...error.details, ...told, ...(error.fields && { fields: error.fields }) }
    : told
}

function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code
  if (error instanceof Stopped) return 'stopped'
  if (exitCodeOf(error) === 2) return 'usage'
  if (error instanceof EnvError) return 'not_configured'
  if (isUnstorable(error)) return 'invalid'
  return shortageOf(error) ? 'unavailable' : 'internal'
}

/** Returns a line for each further field. The message of an AppError is about its first field. */
function otherFields({ fields = [] }: AppError): string[] {
  return fields.slice(1).map(fieldSentence)
}

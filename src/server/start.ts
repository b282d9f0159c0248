import { explain } from '#db/explain'
import { isUnavailable, shortageOf } from '#db/failures'
import { AppError } from '#src/app-error'
import { shortageWords } from '#src/disk/rules'
import type { Env } from '#src/env'
import { requireSharedSecrets } from '#src/operator/secret-fingerprints'
import { createLog, errorFields, type Log } from '#src/process/log'
import { loadSecrets } from '#src/security/secrets'
import { openStore } from '#src/server/open-database'
import type { Running } from '#src/server/program'
import { exitWith } from '#src/server/read-env'

/**
 * Assembles the program and serves: secrets, database, migrations, demo library, workers. If an operator can fix a
 * problem, ends the process with a clear message.
 */
export async function startNocturne(env: Env): Promise<Running> {
  const log = createLog(env.logLevel)
  endAtBugs(log)
  try {
    const secrets = loadSecrets(env)
    // The program's modules are loaded while PostgreSQL starts, or while its cluster is created.
    const loading = import('#src/server/program')
    const database = await openStore(env, log)
    try {
      await requireSharedSecrets(database.db, secrets)
      const { runProgram } = await loading
      return await runProgram(database, env, secrets, log)
    } catch (error) {
      // Otherwise the database would keep running unused.
      await database.stop()
      throw error
    }
  } catch (error) {
    const sentence = error instanceof AppError ? error.message : explain(error, 'DATABASE_URL')
    if (sentence !== null) return exitWith(`Nocturne cannot start. ${sentence}`)
    const reason = reasonOf(error, env)
    if (!reason) throw error
    return exitWith(`Nocturne cannot start: ${reason}`)
  }
}

/**
 * Ends the program at an uncaught error, as the runtime would. The runtime would also print its message, values
 * included.
 */
function endAtBugs(log: Log): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => {
      log.error('the program ends: a bug', errorFields(error))
      process.exit(1)
    })
  }
}

/**
 * Error codes for files that the program cannot use: another user's, on a read-only disk, missing, or of another kind.
 */
const notOurs = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'EEXIST', 'ENOTDIR', 'EISDIR'])

function systemError(error: unknown): { code: string; syscall?: string; path?: string; hostname?: string } {
  if (!(error instanceof Error) || !('code' in error)) return { code: '' }
  const textOf = (name: string) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' ? value : undefined
  }
  return {
    code: textOf('code') ?? '',
    syscall: textOf('syscall'),
    path: textOf('path'),
    hostname: textOf('hostname'),
  }
}

/** The message about a problem that an operator can fix. Null for a bug. */
function reasonOf(error: unknown, env: Env): string | null {
  const { code, syscall, path, hostname } = systemError(error)
  if (code === 'EADDRINUSE')
    return `another program has port ${env.port}. Stop it, or set PORT to another one.`
  if (syscall === 'listen' || (syscall === 'getaddrinfo' && hostname === env.host))
    return `nothing can listen at ${env.host}, port ${env.port} (${code}). HOST is an address of this machine, or 0.0.0.0 for all; ports below 1024 need extra rights.`
  if (path?.startsWith(env.dataDir) && notOurs.has(code))
    return `DATA_DIR cannot be written (${code}: ${path}). Make the user that runs Nocturne its owner, or set DATA_DIR to another folder.`
  if (shortageOf(error) === 'disk') return shortageWords.disk.message
  if (env.databaseUrl && isUnavailable(error)) {
    return 'the database of DATABASE_URL does not answer. Start it, correct the address, or unset it: there is one built in.'
  }
  return null
}

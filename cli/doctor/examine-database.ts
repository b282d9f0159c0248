import { untilStopped } from '#cli/stoppable'
import { type Database, openDatabase } from '#db/db'
import { embeddedStatus } from '#db/embedded/start'
import { migrationStatus } from '#db/migrate'
import { takesWrites } from '#db/takes-writes'
import { AppError } from '#src/app-error'
import { tryDatabaseRoom } from '#src/disk/database-room'
import { isDiskFull } from '#src/disk/room'
import { reserveBytes } from '#src/disk/rules'
import type { Env } from '#src/env'
import { firstLineOf, unreachableMessage } from '#src/http-client/unreachable'
import { createLog } from '#src/process/log'
import { bringUpDatabase, openPool, requireDatabase } from '#src/server/open-database'
import { checkReplica } from '#src/setup/check-replica'
import { checkBackup } from '#src/setup/checks'
import type { Finding } from '#src/setup/schema'
import { readDatabaseAddress } from '#src/text/database-address'

const subject = 'database'

/**
 * Examines the database as far as it can be reached. If its schema is that of this version, `inUse` is called for
 * further findings, and `isInUse` is true.
 */
export async function examineDatabase(
  env: Env,
  stop: AbortSignal,
  inUse: (db: Database) => Promise<Finding[]>,
): Promise<{ findings: Finding[]; isInUse: boolean }> {
  const embedded = await embeddedStatus(env.dataDir)
  const place = env.databaseUrl ? 'DATABASE_URL' : embedded.place
  const alone = (finding: Omit<Finding, 'subject'>) => ({
    findings: [{ subject, ...finding }],
    isInUse: false,
  })
  if (!env.databaseUrl && embedded.state === 'absent')
    return alone({ isRight: true, what: `there is none at ${place} yet: the first start makes it` })
  const log = createLog('warn')
  try {
    const server = await bringUpDatabase(env, log)
    const db = openPool(env, server.url, log)
    const look = async () => {
      await requireDatabase(db, server.url, env)
      const { applied, pending } = await migrationStatus(server.url)
      const isInUse = pending.length === 0
      const findings = [
        await describe(db, { place, applied, pending: pending.length }),
        ...(await databaseDisk(db)),
        ...(await checkReplica(db)),
        ...(applied > 0 ? [await checkBackup(db)] : []),
        ...(isInUse ? await inUse(db) : []),
      ]
      return { findings, isInUse }
    }
    try {
      stop.throwIfAborted()
      return await untilStopped(look(), stop, () => db.sql.end({ timeout: 0 }))
    } finally {
      await db.close()
      await server.stop()
    }
  } catch (error) {
    stop.throwIfAborted()
    if (error instanceof AppError) return alone({ isRight: false, what: error.message })
    if (env.databaseUrl) return alone(await failedAddress(error, env))
    return alone({ isRight: false, what: firstLineOf(error), mend: `See the log beside ${place}.` })
  }
}

async function describe(
  db: Database,
  { place, applied, pending }: { place: string; applied: number; pending: number },
): Promise<Finding> {
  const [row] = await db.execute<{ version: string }>(`select current_setting('server_version') as version`)
  const atStart = pending > 0 ? ' (they are applied at the next start)' : ''
  const what = `PostgreSQL ${row?.version}, ${applied} migrations, ${pending} pending, at ${place}${atStart}`
  if (await takesWrites(db)) return { subject, isRight: true, what }
  return {
    subject,
    isRight: false,
    what: `${what}; it only reads, so nothing is saved.`,
    mend: 'Name the primary in DATABASE_URL. If it is the primary: ALTER DATABASE … RESET default_transaction_read_only, or ask your provider.',
  }
}

/**
 * Finds out which address has failed: PostgreSQL's own (DATABASE_DIRECT_URL) if that of DATABASE_URL answers, otherwise
 * DATABASE_URL. The error does not tell, because it contains only the IP address of a host, which a pooler may share.
 */
async function failedAddress(
  error: unknown,
  { databaseUrl = '', databaseDirectUrl }: Env,
): Promise<Omit<Finding, 'subject'>> {
  const isDirect = databaseDirectUrl !== undefined && (await answers(databaseUrl))
  const [setting, address] = isDirect
    ? ['DATABASE_DIRECT_URL', databaseDirectUrl]
    : ['DATABASE_URL', databaseUrl]
  const hosts = readDatabaseAddress(address)?.hosts ?? []
  const names = hosts.map(({ name, port }) => `${name}:${port ?? 5432}`).join(', ')
  return {
    isRight: false,
    what: unreachableMessage(error, setting, names) ?? firstLineOf(error),
    mend: `Check ${setting} and that the server is running.`,
  }
}

async function answers(url: string): Promise<boolean> {
  const db = openDatabase(url, { max: 1 })
  try {
    await db.execute('select')
    return true
  } catch {
    return false
  } finally {
    await db.close()
  }
}

/** Checks that PostgreSQL's own disk has the reserve that is left free on the disk of DATA_DIR. */
async function databaseDisk(db: Database): Promise<Finding[]> {
  try {
    await tryDatabaseRoom(db, reserveBytes)
    return []
  } catch (error) {
    if (!isDiskFull(error)) throw error
    const what = `PostgreSQL could not write ${reserveBytes / 1024 ** 2} MB to its own disk: it is full, or nearly.`
    const mend = 'Free some space on the disk of its data directory: writes are refused until then.'
    return [{ subject, isRight: false, what, mend }]
  }
}

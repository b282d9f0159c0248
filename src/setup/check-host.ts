import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import type { Env } from '#src/env'
import { secretFiles } from '#src/security/secrets'
import { readDatabaseAddress } from '#src/text/database-address'
import { pluralize } from '#src/text/pluralize'
import { checkBackup } from './checks'
import { deployFile } from './deploy-file'
import type { Finding } from './schema'

/**
 * Maximum clock difference. Two-step codes, signatures for the S3 store and leases tolerate a few seconds, not more.
 */
const clockSecondsMax = 2
/** Maximum share of PostgreSQL's connections; the others are for migrations, terminals, and a second instance. */
const connectionShareMax = 0.5

/** Checks that this user and the files of DATA_DIR have the rights they need, and no more. */
export async function checkRights(
  { dataDir }: Pick<Env, 'dataDir'>,
  userId = process.getuid?.(),
): Promise<Finding> {
  const subject = 'rights'
  const names = ['', 'admin-token', ...Object.values(secretFiles)]
  const files = names.map((name) => join(dataDir, name)).filter((path) => existsSync(path))
  const modes = await Promise.all(files.map(async (path) => ({ path, mode: (await stat(path)).mode })))
  const open = modes.filter(({ mode }) => (mode & 0o077) !== 0).map(({ path }) => path)
  if (open.length > 0)
    return {
      subject,
      isRight: false,
      what: `other users of this machine may read ${open.join(', ')}.`,
      mend: `chmod go= ${open.join(' ')}`,
    }
  if (userId === 0)
    return {
      subject,
      isRight: false,
      what: 'this runs as root.',
      mend: `useradd --system --home-dir ${dataDir} nocturne\nchown -R nocturne: ${dataDir}\n# and in the unit: User=nocturne`,
    }
  return { subject, isRight: true, what: 'DATA_DIR is for this user alone' }
}

/**
 * Checks whether a second instance would have the same secrets. Those that only this machine has are named, never
 * shown.
 */
export function checkSecrets(env: Env): Finding {
  const subject = 'secrets'
  const missing = [
    ...(env.sessionSecret ? [] : [['SESSION_SECRET', secretFiles.session]]),
    ...(env.encryptionKey ? [] : [['ENCRYPTION_KEY', secretFiles.encryption]]),
    ...(env.vapidPrivateKey ? [] : [['VAPID_PRIVATE_KEY', secretFiles.push]]),
    ...(env.adminToken ? [] : [['ADMIN_TOKEN', 'admin-token']]),
  ]
  if (missing.length === 0) return { subject, isRight: true, what: 'all four are in the environment' }
  const words = missing.map(([name]) => name).join(', ')
  return {
    subject,
    isRight: true,
    what: `${words} ${missing.length === 1 ? 'is' : 'are'} in DATA_DIR alone`,
    mend: `Keep a copy; a second instance needs the same:\n${missing.map(([name, file]) => `${name}=$(cat ${join(env.dataDir, file ?? '')})`).join('\n')}`,
  }
}

/**
 * Checks what a deployment needs of its database: a clock like ours, a user with few rights, room for connections, a
 * backup.
 */
export async function checkDatabase(db: Database, env: Env): Promise<Finding[]> {
  return [
    await checkClock(db),
    ...(env.databaseUrl ? [await checkRole(db), await checkConnections(db, env)] : []),
    await backupWithTimer(db, env),
  ]
}

async function checkClock(db: Database): Promise<Finding> {
  const before = Date.now()
  const [row] = await db.execute<{ milliseconds: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as milliseconds`,
  )
  const between = (before + Date.now()) / 2
  const seconds = Math.abs(between - (row?.milliseconds ?? 0)) / 1_000
  const isRight = seconds <= clockSecondsMax
  return {
    subject: 'clock',
    isRight,
    what: `${seconds.toFixed(1)} s from that of the database`,
    ...(!isRight && { mend: 'timedatectl set-ntp true    # on both machines' }),
  }
}

async function checkRole(db: Database): Promise<Finding> {
  const subject = 'database user'
  const [row] = await db.execute<{ name: string; isMighty: boolean }>(
    sql`select rolname as name, rolsuper or rolcreaterole or rolcreatedb as "isMighty" from pg_roles where rolname = current_user`,
  )
  const name = row?.name ?? ''
  if (!row?.isMighty) return { subject, isRight: true, what: `${name} has the rights of its database alone` }
  return {
    subject,
    isRight: false,
    what: `${name} may do more than its database needs.`,
    mend: `ALTER ROLE "${name}" NOSUPERUSER NOCREATEROLE NOCREATEDB;`,
  }
}

/** Checks whether the processes of this instance leave connections for others. */
async function checkConnections(db: Database, env: Env): Promise<Finding> {
  const subject = 'connections'
  if (env.databaseDirectUrl) return { subject, isRight: true, what: 'DATABASE_URL is a pooler' }
  const [row] = await db.execute<{ most: number }>(
    sql`select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
  )
  const most = row?.most ?? 0
  const wanted = env.processes * (env.databasePool + 1)
  const isRight = wanted <= most * connectionShareMax
  const what = `${pluralize(wanted, 'connection')} at most, of ${most} that PostgreSQL allows`
  return { subject, isRight, what, ...(!isRight && { mend: await poolerFile(env.databaseUrl ?? '') }) }
}

function poolerFile(databaseUrl: string): Promise<string> {
  const address = readDatabaseAddress(databaseUrl)
  const [host] = address?.hosts ?? []
  return deployFile('pgbouncer.ini', {
    'nocturne = host=': `${new URL(address?.single ?? databaseUrl).pathname.slice(1)} = host=`,
    '10.0.0.10': host?.name || '127.0.0.1',
    'port=5432': `port=${host?.port ?? 5432}`,
    '10.0.0.9': '127.0.0.1',
  })
}

/** Turns a warning of `checkBackup` into a failure, which the timer fixes. */
async function backupWithTimer(db: Database, env: Env): Promise<Finding> {
  const finding = await checkBackup(db)
  if (!finding.mend) return finding
  return { ...finding, subject: 'backup by itself', isRight: false, mend: await nightlyBackup(env) }
}

/**
 * The configuration of a nightly backup: a systemd timer, or lines of cron if systemd does not run, as in a container.
 */
export async function nightlyBackup(
  { dataDir, databaseUrl, s3 }: Pick<Env, 'dataDir' | 'databaseUrl' | 's3'>,
  systemdFolder = '/run/systemd/system',
): Promise<string> {
  const folder = process.cwd()
  if (!existsSync(systemdFolder)) {
    const file = join(resolve(dataDir), 'backup-$(date +\\%u).zip')
    return [
      '# lines of cron, as the user of the server, or the command of a CronJob with the same image (docs/deploy/containers.md)',
      `DATA_DIR=${resolve(dataDir)}`,
      // Cron does not have the server's variables.
      ...(databaseUrl ? ["# and its DATABASE_URL, as in the server's environment"] : []),
      ...(s3 ? ["# and all of its S3_ variables, as in the server's environment"] : []),
      `0 4 * * *  cd ${folder} && ${process.execPath} cli/main.ts backup --force ${file}`,
    ].join('\n')
  }
  const words = { '/var/lib/nocturne': dataDir, '/srv/nocturne': folder }
  const files = await Promise.all([
    deployFile('nocturne-backup.service', words),
    deployFile('nocturne-backup.timer', words),
  ])
  return files.join('\n\n')
}

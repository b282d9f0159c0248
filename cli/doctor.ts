import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { defineCommand } from 'citty'
import { DrizzleQueryError } from 'drizzle-orm'
import { jsonFlag, print } from '#cli/output'
import { type Database, openDatabase } from '#db/db'
import { embeddedStatus } from '#db/embedded/start'
import { migrationStatus } from '#db/migrate'
import { takesWrites } from '#db/takes-writes'
import { AppError } from '#src/app-error'
import { countMissingAudio } from '#src/audio-file/count-missing'
import { tryDatabaseRoom } from '#src/disk/database-room'
import { findFreeBytes, isDiskFull } from '#src/disk/room'
import { reserveBytes, shortageWords } from '#src/disk/rules'
import { type Env, EnvError, readEnv } from '#src/env'
import { unreachableMessage } from '#src/http-client/unreachable'
import { createLog } from '#src/process/log'
import { bringUpDatabase, openPool, requireDatabase } from '#src/server/open-database'
import { listUntrustedProxies } from '#src/server/untrusted-proxy'
import { checkDatabase, checkRights, checkSecrets } from '#src/setup/check-host'
import { checkPublic } from '#src/setup/check-public'
import { checkReplica } from '#src/setup/check-replica'
import { checkAddress, checkBackup, checkDelivery, checkMail, checkName, checkVoice } from '#src/setup/checks'
import type { Finding } from '#src/setup/schema'
import { ownPages, pathOf, readOwnPage } from '#src/site/own-texts'
import { openStorage } from '#src/storage/storage'
import { readDatabaseAddress } from '#src/text/database-address'
import { pluralize } from '#src/text/pluralize'

/** Below this free space doctor warns: an import of an evening's audio fits in it. */
const diskBytesMin = 1024 * 1024 * 1024

export default defineCommand({
  meta: {
    name: 'doctor',
    description:
      'Says what is wrong, and how to fix it. Exit code 1 where something is wrong. Example: nocturne doctor --deploy',
  },
  args: {
    ...jsonFlag,
    deploy: {
      type: 'boolean',
      description:
        'Also what surrounds it: proxy, TLS, headers, rights, secrets, clock, connections, backups.',
    },
  },
  async run({ args }) {
    const findings = await examine(args.deploy ? deployment : alone)
    print(args, findings, () =>
      findings.map(
        ({ subject, isRight, what, mend }) =>
          `${markOf({ isRight, mend })} ${subject}: ${what}${mend ? `\n     ${mend.replaceAll('\n', '\n     ')}` : ''}`,
      ),
    )
    if (findings.some((finding) => !finding.isRight)) process.exitCode = 1
  },
})

/** What is examined besides the program itself. */
type Surroundings = {
  outside(env: Env): Promise<Finding[]>
  database(db: Database, env: Env): Promise<Finding[]>
}
const alone: Surroundings = { outside: async () => [], database: async () => [] }
const deployment: Surroundings = {
  outside: async (env) => [...(await checkPublic(env)), await checkRights(env), checkSecrets(env)],
  database: checkDatabase,
}

function markOf({ isRight, mend }: Pick<Finding, 'isRight' | 'mend'>): string {
  if (!isRight) return 'bad '
  return mend ? 'warn' : 'ok  '
}

async function examine(surroundings: Surroundings): Promise<Finding[]> {
  let env: Env
  try {
    env = readEnv()
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return error.message.split('\n').map((what) => ({ subject: 'environment', isRight: false, what }))
  }
  const stored = await audio(env)
  return [
    { subject: 'environment', isRight: true, what: `${env.siteName} at ${env.publicUrl}` },
    await dataFolder(env),
    await disk(env),
    ...(await database(env, surroundings, stored)),
    stored,
    checkName(env),
    checkAddress(env),
    await checkMail(env),
    ...(await pages(env)),
    build(),
    ...(await surroundings.outside(env)),
  ]
}

async function dataFolder({ dataDir }: Env): Promise<Finding> {
  const subject = 'data folder'
  if (!existsSync(dataDir))
    return {
      subject,
      isRight: true,
      what: `${dataDir} is not there yet: the first start makes it`,
      mend: 'Where Nocturne ran here before, correct DATA_DIR, or mount what it names.',
    }
  try {
    await access(dataDir, constants.R_OK | constants.W_OK)
    return { subject, isRight: true, what: dataDir }
  } catch {
    return {
      subject,
      isRight: false,
      what: `${dataDir} cannot be written.`,
      mend: 'Give it to the user that runs Nocturne, or set DATA_DIR to another folder.',
    }
  }
}

async function disk({ dataDir }: Env): Promise<Finding> {
  const subject = 'disk'
  const left = await findFreeBytes(dataDir)
  if (left === null) return { subject, isRight: true, what: 'it does not say how much room it has' }
  if (left < reserveBytes)
    return {
      subject,
      isRight: false,
      what: `${Math.floor(left / 1024 ** 2)} MB left at ${dataDir}. ${shortageWords.disk.message}`,
      mend: `Make room: below ${reserveBytes / 1024 ** 2} MB, which the database needs to write its log, uploads and jobs wait.`,
    }
  const what = `${(left / 1024 ** 3).toFixed(1)} GB left`
  return {
    subject,
    isRight: left >= diskBytesMin,
    what,
    ...(left < diskBytesMin && { mend: 'Make room: imports and narrations need it.' }),
  }
}

async function database(env: Env, surroundings: Surroundings, stored: Finding): Promise<Finding[]> {
  const subject = 'database'
  const embedded = await embeddedStatus(env.dataDir)
  const place = env.databaseUrl ? 'DATABASE_URL' : embedded.place
  if (!env.databaseUrl && embedded.state === 'absent')
    return [{ subject, isRight: true, what: `there is none at ${place} yet: the first start makes it` }]
  try {
    const log = createLog('warn')
    const server = await bringUpDatabase(env, log)
    const db = openPool(env, server.url, log)
    try {
      await requireDatabase(db, server.url, env)
      const [row] = await db.execute<{ version: string }>(
        `select current_setting('server_version') as version`,
      )
      const { applied, pending } = await migrationStatus(server.url)
      const atStart = pending.length > 0 ? ' (they are applied at the next start)' : ''
      const what = `PostgreSQL ${row?.version}, ${applied} migrations, ${pending.length} pending, at ${place}${atStart}`
      return [
        (await takesWrites(db)) ? { subject, isRight: true, what } : onlyReads(what),
        ...(await databaseDisk(db)),
        ...(await checkReplica(db)),
        ...(applied > 0 ? [await checkBackup(db)] : []),
        ...(pending.length === 0 ? await inUse(db, env, stored) : []),
        ...(pending.length === 0 ? await surroundings.database(db, env) : []),
      ]
    } finally {
      await db.close()
      await server.stop()
    }
  } catch (error) {
    if (error instanceof AppError) return [{ subject, isRight: false, what: error.message }]
    if (env.databaseUrl) return [await failedAddress(error, env)]
    return [{ subject, isRight: false, what: firstLineOf(error), mend: `Look at the log beside ${place}.` }]
  }
}

/**
 * Names PostgreSQL's own address where that of DATABASE_URL answers, else that one. The error does not tell: it has the
 * IP address of a host, which a pooler may share.
 */
async function failedAddress(error: unknown, { databaseUrl = '', databaseDirectUrl }: Env): Promise<Finding> {
  const isDirect = databaseDirectUrl !== undefined && (await answers(databaseUrl))
  const [setting, address] = isDirect
    ? ['DATABASE_DIRECT_URL', databaseDirectUrl]
    : ['DATABASE_URL', databaseUrl]
  const hosts = readDatabaseAddress(address)?.hosts ?? []
  const names = hosts.map(({ name, port }) => `${name}:${port ?? 5432}`).join(', ')
  return {
    subject: 'database',
    isRight: false,
    what: unreachableMessage(error, setting, names) ?? firstLineOf(error),
    mend: `Check ${setting} and that the server is up.`,
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

function firstLineOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}

function onlyReads(what: string): Finding {
  return {
    subject: 'database',
    isRight: false,
    what: `${what}; it only reads, so nothing is saved.`,
    mend: 'Name the primary in DATABASE_URL. Where it is the primary: ALTER DATABASE … RESET default_transaction_read_only, or ask your provider.',
  }
}

/** Whether PostgreSQL has on its own disk what is left free on DATA_DIR's. */
async function databaseDisk(db: Database): Promise<Finding[]> {
  try {
    await tryDatabaseRoom(db, reserveBytes)
    return []
  } catch (error) {
    if (!isDiskFull(error)) throw error
    const what = `PostgreSQL could not write ${reserveBytes / 1024 ** 2} MB to its own disk: it is full, or nearly.`
    const mend = 'Make room on the disk of its data directory: writes are refused until then.'
    return [{ subject: 'database', isRight: false, what, mend }]
  }
}

/** What the library says of its use, once its tables are those of this version. */
async function inUse(db: Database, env: Env, stored: Finding): Promise<Finding[]> {
  return [
    ...(env.smtpUrl ? [await checkDelivery(db)] : []),
    await checkVoice(db, env),
    ...(stored.isRight ? await missingAudio(db, env) : []),
    ...(await proxies(db, env)),
  ]
}

/** After a restore without its audio, or with another DATA_DIR or bucket than before. */
async function missingAudio(db: Database, env: Env): Promise<Finding[]> {
  const counted = await countMissingAudio(db, openStorage(env)).catch((error) => {
    if (error instanceof DrizzleQueryError) throw error
    return unlistedAudio(error, env)
  })
  if ('subject' in counted) return [counted]
  const { narrated, missing } = counted
  if (missing === 0) return []
  const place = env.s3 ? `the bucket ${env.s3.bucket}` : join(env.dataDir, 'audio')
  return [
    {
      subject: 'audio',
      isRight: false,
      what: `${missing} of ${pluralize(narrated, 'file')} of narrations ${missing === 1 ? 'is' : 'are'} not in ${place}.`,
      mend: `Correct ${env.s3 ? 'S3_BUCKET' : 'DATA_DIR'} where they are elsewhere, copy them there, or narrate those items anew.`,
    },
  ]
}

/** Behind an untrusted proxy all visitors have the proxy's address, and share every limit by address. */
async function proxies(db: Database, env: Env): Promise<Finding[]> {
  const found = await listUntrustedProxies(db, env)
  return found.map(({ proxy, fix }) => ({
    subject: 'proxy',
    isRight: false,
    what: `${proxy} passes requests on, and TRUST_PROXY does not name it: all its visitors count as one address.`,
    mend: fix,
  }))
}

async function audio(env: Env): Promise<Finding> {
  const subject = subjectOfAudio(env)
  try {
    let files = 0
    let bytes = 0
    for await (const file of openStorage(env).list()) {
      files += 1
      bytes += file.sizeBytes
    }
    return {
      subject,
      isRight: true,
      what: `${pluralize(files, 'file')}, ${(bytes / 1024 / 1024).toFixed(1)} MB`,
    }
  } catch (error) {
    return unlistedAudio(error, env)
  }
}

const subjectOfAudio = ({ s3 }: Env) => (s3 ? 'audio in S3' : 'audio')

function unlistedAudio(error: unknown, env: Env): Finding {
  return {
    subject: subjectOfAudio(env),
    isRight: false,
    what: unreachableMessage(error, 'S3_ENDPOINT', env.s3?.endpoint ?? '') ?? firstLineOf(error),
    mend: 'Check the S3_ variables, and that the bucket exists.',
  }
}

/** Files of the operator's own that stand in for built-in pages; one that cannot be shown is named. */
async function pages({ dataDir }: Env): Promise<Finding[]> {
  const files = await Promise.all(
    ownPages.map(async (page) => ({ path: pathOf(dataDir, page), file: await readOwnPage(dataDir, page) })),
  )
  return files.flatMap(({ path, file }): Finding[] => {
    if (file.state === 'none') return []
    if (file.state === 'own') return [{ subject: 'page', isRight: true, what: `${path} is shown` }]
    const mend = 'The built-in page is shown. Mend the file, or remove it.'
    return [{ subject: 'page', isRight: false, what: `${path}: ${file.problem}`, mend }]
  })
}

function build(): Finding {
  const isBuilt = Bun.file(`${import.meta.dir}/../.build/manifest.json`).size > 0
  return {
    subject: 'assets',
    isRight: isBuilt,
    what: isBuilt ? 'built' : 'not built',
    ...(!isBuilt && { mend: 'Run: bun run build' }),
  }
}

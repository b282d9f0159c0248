import { access, constants, mkdir, readdir } from 'node:fs/promises'
import { defineCommand } from 'citty'
import { jsonFlag, print } from '#cli/output'
import type { Database } from '#db/db'
import { embeddedStatus } from '#db/embedded/start'
import { migrationStatus } from '#db/migrate'
import { AppError } from '#src/app-error'
import { findFreeBytes } from '#src/disk/room'
import { reserveBytes, shortageWords } from '#src/disk/rules'
import { type Env, EnvError, readEnv } from '#src/env'
import { openServer, outboxOf, senderOf } from '#src/mail/deliver'
import { createLog } from '#src/process/log'
import { bringUpDatabase, openPool, requireDatabase } from '#src/server/open-database'
import { listUntrustedProxies } from '#src/server/untrusted-proxy'
import { ownPages, pathOf, readOwnPage } from '#src/site/own-texts'
import { openStorage } from '#src/storage/storage'
import { pluralize } from '#src/text/pluralize'

/** With a `mend`, what is right is a warning: worth doing, and no failure. */
type Finding = { subject: string; isRight: boolean; what: string; mend?: string }

/** A library that changes every day loses a week at most. */
const backupDaysMax = 7

/** Below this free space doctor warns: an import of an evening's audio fits in it. */
const diskBytesMin = 1024 * 1024 * 1024

export default defineCommand({
  meta: {
    name: 'doctor',
    description: 'Says what is wrong, and how to mend it. Example: nocturne doctor --json',
  },
  args: jsonFlag,
  async run({ args }) {
    const findings = await examine()
    print(args, findings, () =>
      findings.map(
        ({ subject, isRight, what, mend }) =>
          `${markOf({ isRight, mend })} ${subject}: ${what}${mend ? `\n     ${mend}` : ''}`,
      ),
    )
    if (findings.some((finding) => !finding.isRight)) process.exitCode = 1
  },
})

function markOf({ isRight, mend }: Pick<Finding, 'isRight' | 'mend'>): string {
  if (!isRight) return 'bad '
  return mend ? 'warn' : 'ok  '
}

async function examine(): Promise<Finding[]> {
  let env: Env
  try {
    env = readEnv()
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return error.message.split('\n').map((what) => ({ subject: 'environment', isRight: false, what }))
  }
  return [
    { subject: 'environment', isRight: true, what: `${env.siteName} at ${env.publicUrl}` },
    await dataFolder(env),
    await disk(env),
    ...(await database(env)),
    await audio(env),
    await mail(env),
    ...(await pages(env)),
    build(),
  ]
}

async function dataFolder({ dataDir }: Env): Promise<Finding> {
  const subject = 'data folder'
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
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

async function database(env: Env): Promise<Finding[]> {
  const subject = 'database'
  const place = env.databaseUrl ? 'DATABASE_URL' : (await embeddedStatus(env.dataDir)).place
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
      const what = `PostgreSQL ${row?.version}, ${applied} migrations, ${pending.length} pending, at ${place}`
      return [
        {
          subject,
          isRight: true,
          what: pending.length > 0 ? `${what} (they are applied at the next start)` : what,
        },
        ...(applied > 0 ? [await backup(db)] : []),
        ...(pending.length === 0 ? await proxies(db, env) : []),
      ]
    } finally {
      await db.close()
      await server.stop()
    }
  } catch (error) {
    if (error instanceof AppError) return [{ subject, isRight: false, what: error.message }]
    const what = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    return [
      {
        subject,
        isRight: false,
        what,
        mend: env.databaseUrl
          ? 'Check DATABASE_URL and that the server is up.'
          : `Look at the log beside ${place}.`,
      },
    ]
  }
}

/**
 * A warning where none was made, or none for a week. The audit log records when a backup was made; where its file is
 * now, and whether other backups are made, is not recorded.
 */
async function backup(db: Database): Promise<Finding> {
  const [last] = await db.execute<{ days: number }>(
    `select floor(extract(epoch from now() - max(at)) / 86400)::int as days from audit_log where action = 'backup' having max(at) is not null`,
  )
  const ago = last && (last.days === 0 ? 'today' : `${pluralize(last.days, 'day')} ago`)
  const isOld = !last || last.days > backupDaysMax
  return {
    subject: 'backup',
    isRight: true,
    what: ago ? `the last was made ${ago}` : 'none was made by nocturne backup yet',
    ...(isOld && { mend: 'Make one: nocturne backup library.zip, and keep it on another machine.' }),
  }
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
  const subject = env.s3 ? 'audio in S3' : 'audio'
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
    return {
      subject,
      isRight: false,
      what: error instanceof Error ? error.message : String(error),
      mend: 'Check the S3_ variables, and that the bucket exists.',
    }
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

/** Where mail goes. Connects to the mail server and sends nothing. */
async function mail(env: Env): Promise<Finding> {
  const subject = 'mail'
  if (!env.smtpUrl) {
    const files = (await readdir(outboxOf(env)).catch(() => [])).filter((name) => name.endsWith('.eml'))
    const what = `put into ${outboxOf(env)} (${pluralize(files.length, 'file')}), since SMTP_URL is not set`
    return { subject, isRight: true, what }
  }
  const { host } = new URL(env.smtpUrl)
  const server = await openServer(env.smtpUrl)
  try {
    await server.verify()
    return { subject, isRight: true, what: `sent through ${host} as ${senderOf(env).address}` }
  } catch (error) {
    return {
      subject,
      isRight: false,
      what: `${host} does not take mail: ${error instanceof Error ? error.message : String(error)}`,
      mend: 'Check SMTP_URL. Until then mail waits in the queue.',
    }
  } finally {
    server.close()
  }
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

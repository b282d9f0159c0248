import { access, constants, mkdir, readdir, statfs } from 'node:fs/promises'
import { defineCommand } from 'citty'
import { jsonFlag, print } from '#cli/output'
import { type Database, openDatabase } from '#db/db'
import { embeddedStatus, startEmbedded } from '#db/embedded'
import { migrationStatus } from '#db/migrate'
import { type Env, EnvError, readEnv } from '#src/env'
import { openServer, outboxOf, senderOf } from '#src/mail/deliver'
import { openStorage } from '#src/narration/storage'
import { ownPages, pathOf, readOwnPage } from '#src/site/own-words'

type Finding = { subject: string; isRight: boolean; what: string; mend?: string }

/** Less than this left on the disk is worth a word: an import of an evening's audio fits in it. */
const diskBytesMin = 1024 * 1024 * 1024

export default defineCommand({
  meta: {
    name: 'doctor',
    description: 'Says what is wrong, and how to mend it. Example: nocturne doctor --json',
  },
  args: jsonFlag,
  async run({ args }) {
    const findings = await examine()
    print(args.json, findings, () =>
      findings.map(
        ({ subject, isRight, what, mend }) =>
          `${isRight ? 'ok  ' : 'bad '} ${subject}: ${what}${mend ? `\n     ${mend}` : ''}`,
      ),
    )
    if (findings.some((finding) => !finding.isRight)) process.exitCode = 1
  },
})

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
  const { bavail, bsize } = await statfs(dataDir)
  const left = bavail * bsize
  const what = `${(left / 1024 ** 3).toFixed(1)} GB left`
  return {
    subject: 'disk',
    isRight: left >= diskBytesMin,
    what,
    ...(left < diskBytesMin && { mend: 'Make room: imports and narrations need it.' }),
  }
}

async function database(env: Env): Promise<Finding[]> {
  const subject = 'database'
  const place = env.databaseUrl ? 'DATABASE_URL' : (await embeddedStatus(env.dataDir)).place
  try {
    const embedded = env.databaseUrl ? null : await startEmbedded({ dataDir: env.dataDir })
    const url = env.databaseUrl ?? embedded?.url ?? ''
    const db = openDatabase(url, { max: 1 })
    try {
      const [row] = await db.execute<{ version: string }>(
        `select current_setting('server_version') as version`,
      )
      const { applied, pending } = await migrationStatus(url)
      const what = `PostgreSQL ${row?.version}, ${applied} migrations, ${pending.length} pending, at ${place}`
      return [
        {
          subject,
          isRight: true,
          what: pending.length > 0 ? `${what} (they are applied at the next start)` : what,
        },
        ...(applied > 0 ? [await backup(db)] : []),
      ]
    } finally {
      await db.close()
      await embedded?.stop()
    }
  } catch (error) {
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

/** The audit log knows when a backup was made; where its file is now, and whether others are made, nobody here does. */
async function backup(db: Database): Promise<Finding> {
  const [last] = await db.execute<{ days: number }>(
    `select floor(extract(epoch from now() - max(at)) / 86400)::int as days from audit_log where action = 'backup' having max(at) is not null`,
  )
  const ago = last && (last.days === 0 ? 'today' : `${last.days} days ago`)
  return {
    subject: 'backup',
    isRight: true,
    what: ago ? `the last was made ${ago}` : 'none was made by nocturne backup yet',
  }
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
    return { subject, isRight: true, what: `${files} files, ${(bytes / 1024 / 1024).toFixed(1)} MB` }
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

/** Where mail goes; a server is greeted, and nothing sent. */
async function mail(env: Env): Promise<Finding> {
  const subject = 'mail'
  if (!env.smtpUrl) {
    const files = (await readdir(outboxOf(env)).catch(() => [])).filter((name) => name.endsWith('.eml'))
    const what = `put into ${outboxOf(env)} (${files.length} files), since SMTP_URL is not set`
    return { subject, isRight: true, what }
  }
  const { host } = new URL(env.smtpUrl)
  const server = openServer(env.smtpUrl)
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

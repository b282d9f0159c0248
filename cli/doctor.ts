import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { defineCommand } from 'citty'
import { examineDatabase } from '#cli/doctor/examine-database'
import { jsonFlag, print } from '#cli/output'
import { stoppable } from '#cli/stoppable'
import type { Database } from '#db/db'
import { findFreeBytes } from '#src/disk/room'
import { reserveBytes, shortageWords } from '#src/disk/rules'
import { type Env, EnvError, readEnv } from '#src/env'
import { listUntrustedProxies } from '#src/server/untrusted-proxy'
import { checkAudio } from '#src/setup/check-audio'
import { checkDatabase, checkRights, checkSecrets } from '#src/setup/check-host'
import { checkPublic } from '#src/setup/check-public'
import { checkAddress, checkDelivery, checkMail, checkName, checkVoice } from '#src/setup/checks'
import type { Finding } from '#src/setup/schema'
import { ownPages, pathOf, readOwnPage } from '#src/site/own-texts'

/** Doctor warns if less space is free. An import of an evening's audio fits into it. */
const diskBytesMin = 1024 * 1024 * 1024

export default defineCommand({
  meta: {
    name: 'doctor',
    description:
      'Says what is wrong, and how to fix it. Exit code 1 if something is wrong. Example: nocturne doctor --deploy',
  },
  args: {
    ...jsonFlag,
    deploy: {
      type: 'boolean',
      description:
        'Also checks the deployment: proxy, TLS, headers, permissions, secrets, clock, connections, backups.',
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

/** Checks that depend on whether a deployment is examined. */
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
  const database = await stoppable((stop) => examineDatabase(env, stop, (db) => inUse(db, env, surroundings)))
  return [
    { subject: 'environment', isRight: true, what: `${env.siteName} at ${env.publicUrl}` },
    await dataFolder(env),
    await disk(env),
    ...database.findings,
    ...(database.isInUse ? [] : await checkAudio(env, null)),
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
      mend: 'If Nocturne ran here before, correct DATA_DIR, or mount the folder it names.',
    }
  try {
    await access(dataDir, constants.R_OK | constants.W_OK)
    return { subject, isRight: true, what: dataDir }
  } catch {
    return {
      subject,
      isRight: false,
      what: `${dataDir} cannot be written.`,
      mend: 'Make the user that runs Nocturne its owner, or set DATA_DIR to another folder.',
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
      mend: `Free some space: below ${reserveBytes / 1024 ** 2} MB, which the database needs to write its log, uploads and jobs wait.`,
    }
  const what = `${(left / 1024 ** 3).toFixed(1)} GB left`
  return {
    subject,
    isRight: left >= diskBytesMin,
    what,
    ...(left < diskBytesMin && { mend: 'Free some space: imports and narrations need it.' }),
  }
}

/** Checks that read the library's tables, if the schema is that of this version. */
async function inUse(db: Database, env: Env, surroundings: Surroundings): Promise<Finding[]> {
  return [
    ...(env.smtpUrl ? [await checkDelivery(db)] : []),
    await checkVoice(db, env),
    ...(await checkAudio(env, db)),
    ...(await proxies(db, env)),
    ...(await surroundings.database(db, env)),
  ]
}

/** Finds untrusted proxies. Behind one, all visitors have the proxy's address and share every limit by address. */
async function proxies(db: Database, env: Env): Promise<Finding[]> {
  const found = await listUntrustedProxies(db, env)
  return found.map(({ proxy, fix }) => ({
    subject: 'proxy',
    isRight: false,
    what: `${proxy} passes requests on, and TRUST_PROXY does not name it: all its visitors count as one address.`,
    mend: fix,
  }))
}

/** Checks the operator's own files that replace built-in pages, and names those that cannot be shown. */
async function pages({ dataDir }: Env): Promise<Finding[]> {
  const files = await Promise.all(
    ownPages.map(async (page) => ({ path: pathOf(dataDir, page), file: await readOwnPage(dataDir, page) })),
  )
  return files.flatMap(({ path, file }): Finding[] => {
    if (file.state === 'none') return []
    if (file.state === 'own') return [{ subject: 'page', isRight: true, what: `${path} is shown` }]
    const mend = 'The built-in page is shown. Fix the file, or remove it.'
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

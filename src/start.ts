import { join } from 'node:path'
import { isUnavailable } from '#db/db'
import { seedDemo } from '#db/seed'
import { startRollups } from '#src/analytics/fresh'
import { makePartitions } from '#src/analytics/partitions'
import { createApp } from '#src/app'
import { type Env, EnvError, readEnv } from '#src/env'
import { startScanning } from '#src/guideline/start'
import { loadAssets } from '#src/http/assets'
import { startImporting } from '#src/import/start'
import { stopWatching } from '#src/job/events'
import { createLog, errorFields, type Log } from '#src/log'
import { startMailing } from '#src/mail/start'
import { startNarrating } from '#src/narration/start'
import { openStorage } from '#src/narration/storage'
import { sweepAudio } from '#src/narration/sweep'
import type { Parts } from '#src/parts'
import { startPushing } from '#src/push/start'
import { loadSecrets, type Secrets } from '#src/secrets'
import { openStore } from '#src/store'
import { hearOfChanges } from '#src/story/library-changed'
import { startPublishing } from '#src/story/publish-due'
import { startTidying } from '#src/tidy-up'
import { startRanking } from '#src/trending/kept-ranking'

/** The build that `bun run build` makes. */
const buildFolder = join(import.meta.dir, '../.build')
/** Bun's own limit; each route has its own, smaller one, and uploads are streamed. */
const requestBytesMax = 2_200 * 1024 * 1024

export type Running = { url: string; stop(): Promise<void> }

/**
 * Puts the program together and serves: environment, secrets, database, migrations, demo library, workers.
 * Ends the process with a clear sentence where an operator can mend what is wrong.
 */
export async function startNocturne(): Promise<Running> {
  const env = readEnvOrExit()
  const log = createLog(env.logLevel)
  const secrets = loadSecrets(env)
  try {
    return await startOn(await openStore(env, log), env, secrets, log)
  } catch (error) {
    const reason = reasonOf(error, env)
    if (!reason) throw error
    return exitWith(`Nocturne cannot start: ${reason}`)
  }
}

type Store = Awaited<ReturnType<typeof openStore>>

/** Stops the database again where the rest fails: one of ours would run on with nobody to use it. */
async function startOn(database: Store, env: Env, secrets: Secrets, log: Log): Promise<Running> {
  try {
    return await serveFrom(database, env, secrets, log)
  } catch (error) {
    await database.stop()
    throw error
  }
}

async function serveFrom(database: Store, env: Env, secrets: Secrets, log: Log): Promise<Running> {
  const parts: Parts = {
    db: database.db,
    env,
    secrets,
    storage: openStorage(env),
    assets: loadAssets(buildFolder),
    log,
  }
  const isFirstStart = env.demo && (await seedDemo(parts.db))

  await hearOfChanges(parts.db)
  await makePartitions(parts.db)
  const app = createApp(parts)
  const server = Bun.serve({
    port: env.port,
    hostname: env.host,
    maxRequestBodySize: requestBytesMax,
    idleTimeout: 60,
    fetch: (request, self) => app.fetch(request, self.requestIP(request)?.address),
  })
  const narrating = startNarrating(parts, { isFirstStart })
  const importing = startImporting(parts)
  const scanning = startScanning(parts)
  const mailing = startMailing(parts)
  const pushing = startPushing(parts)
  const rollups = startRollups(parts.db, log)
  const publishing = startPublishing(parts.db, log)
  const ranking = startRanking(parts.db, log)
  const tidying = startTidying(parts)
  void sweepAudio(parts).catch((error) => log.warn('sweeping audio failed', errorFields(error)))
  greet(env, server.port ?? env.port, secrets.operatorTokenFile)

  return {
    url: `http://localhost:${server.port}`,
    async stop() {
      log.info('stopping')
      stopWatching(parts.db)
      await Promise.all([
        server.stop(),
        narrating.stop(),
        importing.stop(),
        scanning.stop(),
        mailing.stop(),
        pushing.stop(),
        rollups.stop(),
        publishing.stop(),
        ranking.stop(),
        tidying.stop(),
      ])
      await database.stop()
    },
  }
}

function readEnvOrExit(): Env {
  try {
    return readEnv()
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return exitWith(`Nocturne cannot start with this environment:\n${error.message}`)
  }
}

function exitWith(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** What an operator can mend, in words; null for a bug. */
function reasonOf(error: unknown, env: Env): string | null {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `another program has port ${env.port}. Stop it, or set PORT to another one.`
  }
  if (env.databaseUrl && isUnavailable(error)) {
    return 'the database of DATABASE_URL does not answer. Start it, correct the address, or unset it: there is one built in.'
  }
  return null
}

function greet(env: Env, port: number, tokenFile: string | null): void {
  const lines = [
    '',
    `  ${env.siteName} is open at ${env.publicUrl.includes('localhost') ? `http://localhost:${port}` : env.publicUrl}`,
    `  The API's documentation: ${env.publicUrl.includes('localhost') ? `http://localhost:${port}` : env.publicUrl}/api/docs`,
    ...(tokenFile
      ? [`  The operator's token is in ${tokenFile}; read it with: bun run nocturne token show`]
      : []),
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

import { join } from 'node:path'
import { startRollups } from '#src/analytics/fresh'
import { makePartitions } from '#src/analytics/partitions'
import { startSweeping } from '#src/audio-file/start'
import { startReminding } from '#src/challenge/start'
import { seedDemo } from '#src/demo/seed'
import { watchRoom } from '#src/disk/room'
import type { Env } from '#src/env'
import { loadAssets } from '#src/http/assets'
import { startImporting } from '#src/import/start'
import { stopWatching } from '#src/job/events'
import { listenToOtherProcesses, notifyOtherProcesses } from '#src/job/notify-other-processes'
import { startMailing } from '#src/mail/start'
import { resetEmailHandler, resetKind } from '#src/member/recovery/reset-email'
import { startNarrating } from '#src/narration/start'
import { errorFields, type Log } from '#src/process/log'
import { watchEventLoop } from '#src/process/metrics'
import { startPushing } from '#src/push/start'
import { startScanning } from '#src/review/start'
import type { Secrets } from '#src/security/secrets'
import { createApp } from '#src/server/app'
import { startTidying } from '#src/server/housekeeping'
import type { Store } from '#src/server/open-database'
import type { Services } from '#src/services'
import { openStorage } from '#src/storage/storage'
import { listenForChanges } from '#src/story/library-changed'
import { startPublishing } from '#src/story/publish-due'
import { startRanking } from '#src/trending/refresh'
import { closeServer, listen } from './listen'
import { shareMetrics } from './process-metrics'

/** The build that `bun run build` makes. */
const buildFolder = join(import.meta.dir, '../../.build')

export type Running = { url: string; stop(): Promise<void> }

/** Assembles the program on its database, listens, and then starts the workers. */
export async function runProgram(database: Store, env: Env, secrets: Secrets, log: Log): Promise<Running> {
  const stopping = new AbortController()
  const services: Services = {
    db: database.db,
    env,
    secrets,
    storage: openStorage(env),
    assets: loadAssets(buildFolder),
    log,
    stopping: stopping.signal,
  }
  const tracing = env.traces && (await import('#src/process/export-spans')).exportSpans(env.traces, log)
  const isFirstStart = env.demo && (await seedDemo(services.db))

  void listenForChanges(services)
  // If this fails, rows go into the default partitions until the next tidying creates the others.
  await makePartitions(services.db).catch((error) =>
    log.warn('partitions could not be made', errorFields(error)),
  )
  const app = createApp(services)
  const server = listen(app, { port: env.port, hostname: env.host, reusePort: env.processNumber > 0 })
  const tasks = [startRanking(services.db, log), watchRoom(services), watchEventLoop(), shareMetrics(env)]
  // If several processes run on one machine, the first does the background work for all of them.
  if (env.processNumber > 1) {
    tasks.push(notifyOtherProcesses(services))
  } else {
    tasks.push(...startBackgroundTasks(services, { isFirstStart }))
    if (env.processNumber === 1) void listenToOtherProcesses(services.db)
    greet(env, server.port ?? env.port, secrets.operatorTokenFile)
  }

  return {
    url: `http://localhost:${server.port}`,
    async stop() {
      log.info('stopping')
      stopping.abort()
      await Bun.sleep(env.drainSeconds * 1_000)
      stopWatching(services.db)
      await Promise.all([closeServer(server), ...tasks.map((task) => task.stop())])
      await tracing?.stop()
      await database.stop()
    },
  }
}

function startBackgroundTasks(
  services: Services,
  start: { isFirstStart: boolean },
): { stop(): Promise<void> }[] {
  const { db, log } = services
  return [
    startSweeping(services),
    startNarrating(services, start),
    startImporting(services),
    startScanning(services),
    startMailing(services, { [resetKind]: resetEmailHandler(services) }),
    startPushing(services),
    startReminding(services),
    startRollups(db, log),
    startPublishing(db, log),
    startTidying(services),
  ]
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

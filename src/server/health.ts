import type { Database } from '#db/db'
import { codeOf, shortageOf } from '#db/failures'
import { takesWrites } from '#db/takes-writes'
import { AppError } from '#src/app-error'
import { requireDatabaseRoom } from '#src/disk/database-room'
import { requireRoom } from '#src/disk/room'
import { shortageWords } from '#src/disk/rules'
import { metricsText } from '#src/process/metrics'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { readMetrics } from './read-metrics'

/** Routes for monitoring: whether the process lives, whether it can serve, and its metrics. */
export function healthRoutes(services: Services) {
  const requireReady = readiness(services)
  return router()
    .get('/healthz', () => ({ status: 'ok' }), { detail: { hide: true } })
    .get(
      '/readyz',
      async () => {
        if (services.stopping.aborted)
          throw new AppError('unavailable', 'Nocturne is stopping.', { retryAfterSeconds: 1 })
        await requireReady()
        return { status: 'ready' }
      },
      { detail: { hide: true } },
    )
    .get(
      '/metrics',
      async ({ caller, context }) => {
        if (!caller.operator && !context.sender.isLocal) {
          throw new AppError('forbidden', 'Metrics are for operators and for this machine.')
        }
        return new Response(metricsText(await readMetrics(services)), {
          headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        })
      },
      { detail: { hide: true } },
    )
}

/**
 * Throws `unavailable` if this instance cannot serve. A load balancer asks every second, so only changes are logged,
 * with a code and without a stack.
 */
function readiness({ env, db, log }: Services): () => Promise<void> {
  let isReady = true
  return async () => {
    try {
      await requireRoom(env.dataDir)
      await requireWritable(db)
      await requireDatabaseRoom(db)
    } catch (error) {
      const refusal = asRefusal(error)
      if (isReady) log.error('not ready', { reason: refusal.message, code: codeOf(error) })
      isReady = false
      throw refusal
    }
    if (!isReady) log.info('ready again')
    isReady = true
  }
}

/** Converts a shortage to an AppError. Rethrows other errors, which are bugs. */
function asRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error
  const shortage = shortageOf(error)
  if (!shortage) throw error
  const { message, retryAfterSeconds } = shortageWords[shortage]
  return new AppError('unavailable', message, { retryAfterSeconds })
}

/** Throws `unavailable` if the database is read-only: a standby, while another one becomes the primary. */
async function requireWritable(db: Database): Promise<void> {
  if (await takesWrites(db)) return
  const { message, retryAfterSeconds } = shortageWords.database
  throw new AppError('unavailable', message, { retryAfterSeconds })
}

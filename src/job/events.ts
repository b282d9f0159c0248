import type { Database } from '#db/db'
import { AppError } from '#src/app-error'
import { streamedHeader } from '#src/http/encoding'
import { errorFields, type Log } from '#src/process/log'
import { type JobRow, listRecentJobs } from './queries'
import type { Job } from './schema'

/** How often the queue is read while there are watchers; one read serves all of them. */
const lookSeconds = 0.5
/** Proxies close connections that are idle for a minute. */
const heartbeatSeconds = 15
/** How long a watcher whose session was ended elsewhere still receives events. */
const permissionSeconds = 2
/** Lifetime of a stream. The browser then reconnects by itself and is authenticated again. */
const streamSeconds = 600
const streamsMax = 50

type Watcher = { send(text: string): void; end(): void; mayWatch(): Promise<boolean>; openedAt: number }
type Watch = {
  watchers: Set<Watcher>
  known: Map<string, string>
  timer: Timer
  ticks: number
  /** When the watchers' permissions were last checked, by performance.now(). */
  askedAt: number
}
const watches = new WeakMap<Database, Watch>()

/**
 * A stream of server-sent events: first `jobs`, the ones that are queued, running or ended in the last minute; then
 * `job` for each one that changes. It ends once `mayWatch` returns false, which is checked about every two seconds.
 * Throws `throttled` if there are too many watchers.
 */
export function watchJobs(db: Database, log: Log, mayWatch: () => Promise<boolean>): Response {
  const watch = watches.get(db) ?? openWatch(db, log)
  if (watch.watchers.size >= streamsMax)
    throw new AppError('throttled', 'Too many screens are watching the jobs.', { retryAfterSeconds: 30 })
  let watcher: Watcher | null = null
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const own: Watcher = {
        openedAt: performance.now(),
        mayWatch,
        send: (text) => controller.enqueue(encoder.encode(text)),
        end() {
          if (watch.watchers.delete(own)) controller.close()
          if (watch.watchers.size === 0) closeWatch(db)
        },
      }
      watcher = own
      watch.watchers.add(own)
      own.send('retry: 2000\n\n')
      listRecentJobs(db).then(
        (rows) => watch.watchers.has(own) && begin(watch, own, rows),
        (error) => {
          log.warn('the jobs cannot be watched', errorFields(error))
          own.end()
        },
      )
    },
    cancel() {
      if (watcher) watch.watchers.delete(watcher)
      if (watch.watchers.size === 0) closeWatch(db)
    },
  })
  return new Response(body, { headers: streamHeaders })
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'private, no-store',
  ...streamedHeader,
}

/** Ends every stream, since a stopping server would wait for them. */
export function stopWatching(db: Database): void {
  for (const watcher of watches.get(db)?.watchers ?? []) watcher.end()
}

/** A job as the API shows it. */
export function shownJob({ payload, runAfter, createdAt, startedAt, finishedAt, ...row }: JobRow): Job {
  const fields = typeof payload === 'object' && payload !== null ? payload : {}
  return {
    ...row,
    // The title of an import is its file's name, that of a narration its item's title.
    title:
      row.title ?? ('fileName' in fields && typeof fields.fileName === 'string' ? fields.fileName : null),
    voice: 'voice' in fields && typeof fields.voice === 'string' ? fields.voice : null,
    narrator: 'narrator' in fields && typeof fields.narrator === 'string' ? fields.narrator : null,
    runAfter: runAfter.toISOString(),
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
  }
}

function openWatch(db: Database, log: Log): Watch {
  let isLooking = false
  const watch: Watch = {
    watchers: new Set(),
    known: new Map(),
    timer: setInterval(look, lookSeconds * 1_000),
    ticks: 0,
    askedAt: performance.now(),
  }
  watches.set(db, watch)
  return watch

  async function look(): Promise<void> {
    endOld(watch)
    watch.ticks += 1
    if (watch.ticks % (heartbeatSeconds / lookSeconds) === 0)
      for (const { send } of watch.watchers) send(': still here\n\n')
    if (isLooking) return
    isLooking = true
    try {
      await endForbidden(watch)
      send(watch, await listRecentJobs(db))
    } catch (error) {
      log.warn('the jobs cannot be watched', errorFields(error))
    } finally {
      isLooking = false
    }
  }
}

/**
 * Sends the present jobs to a new watcher. Jobs that were not known before are recorded, so that the next read does not
 * report them as changes.
 */
function begin({ known }: Watch, watcher: Watcher, rows: readonly JobRow[]): void {
  const shown = rows.map(shownJob)
  watcher.send(eventOf('jobs', shown))
  for (const job of shown) if (!known.has(job.id)) known.set(job.id, JSON.stringify(job))
}

function send(watch: Watch, rows: readonly JobRow[]): void {
  const now = new Map(rows.map((row) => [row.id, JSON.stringify(shownJob(row))]))
  for (const [id, text] of now) {
    if (watch.known.get(id) === text) continue
    for (const { send } of watch.watchers) send(`event: job\ndata: ${text}\n\n`)
  }
  watch.known = now
}

function endOld(watch: Watch): void {
  for (const watcher of watch.watchers) {
    if (performance.now() - watcher.openedAt > streamSeconds * 1_000) watcher.end()
  }
}

async function endForbidden(watch: Watch): Promise<void> {
  const now = performance.now()
  if (now - watch.askedAt < permissionSeconds * 1_000) return
  watch.askedAt = now
  const ask = async (watcher: Watcher) => (await watcher.mayWatch()) || watcher.end()
  await Promise.all([...watch.watchers].map(ask))
}

function closeWatch(db: Database): void {
  const watch = watches.get(db)
  if (watch) clearInterval(watch.timer)
  watches.delete(db)
}

function eventOf(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

import { mkdtempSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import { type Database, openDatabase } from '#db/db'
import { startEmbedded } from '#db/embedded/start'
import { migrate } from '#db/migrate'
import { saveProgress } from '#src/listening/save-progress'
import { figure, heading } from './report'
import { forget } from './servers'
import { vacuum } from './vacuum'

const listeners = 100_000
const items = 1_000
const connections = 10
const secondsMeasured = 20

/** Measures what a position report costs the primary and this program. Each report is of the next of many listeners. */
export async function benchBeats(): Promise<void> {
  heading(`Heartbeats of ${listeners.toLocaleString('en')} listeners, ${connections} connections`)
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-bench-'))
  const server = await startEmbedded({ dataDir })
  await migrate(server.url)
  let statements = 0
  const observe = () => {
    statements += 1
  }
  const db = openDatabase(server.url, { max: connections, observe })
  try {
    const contentIds = await fill(db)
    const warmed = await beatFor(3, { db, contentIds, first: 0 })
    const pid = Number.parseInt(await readFile(join(server.place, 'postmaster.pid'), 'utf8'), 10)
    const before = await readCosts(db, pid)
    const sentBefore = statements
    const startedAt = performance.now()
    const beats = await beatFor(secondsMeasured, { db, contentIds, first: warmed })
    const seconds = (performance.now() - startedAt) / 1_000
    const after = await readCosts(db, pid)
    figure('beats a second', beats / seconds, '/s')
    figure(
      'processor of PostgreSQL a beat',
      ((after.databaseSeconds - before.databaseSeconds) / beats) * 1_000,
      'ms',
    )
    figure('processor of the program a beat', ((after.ownSeconds - before.ownSeconds) / beats) * 1_000, 'ms')
    figure('log a beat', (after.logBytes - before.logBytes) / beats, 'bytes')
    figure('statements a beat', (statements - sentBefore) / beats, '')
  } finally {
    await db.close()
    await server.stop()
    forget(dataDir)
  }
}

/** Puts every listener in the middle of an item, on a device of their own. */
async function fill(db: Database): Promise<string[]> {
  const contentIds = Array.from({ length: items }, newId)
  await db.execute(sql`
    insert into stories (id, type, slug, title, title_key, status, source, published_at)
    select id::uuid, 'story', id, id, id, 'published', 'pre_uploaded', now()
    from jsonb_array_elements_text(${JSON.stringify(contentIds)}::text::jsonb) as id`)
  const everybody = sql`generate_series(0, ${listeners - 1}::int) as n
    join lateral (select (${JSON.stringify(contentIds)}::text::jsonb ->> (n % ${items}::int))::uuid as item) as heard on true`
  await db.execute(sql`
    insert into content_progress (id, anon_id, content_id, content_type, last_position_sec, total_sec, device_id, sequence, reported_at)
    select gen_random_uuid(), 'listener ' || n, item, 'story', 30, 3600, 'device ' || n, 1, now() - interval '10 seconds' from ${everybody}`)
  await db.execute(sql`
    insert into device_positions (id, anon_id, content_id, device_id, sequence, position_sec, total_sec)
    select gen_random_uuid(), 'listener ' || n, item, 'device ' || n, 1, 30, 3600 from ${everybody}`)
  await db.execute(sql`
    insert into playback_meters (listener_id, story_id, day, seconds, reported_at)
    select 'listener ' || n, item, (now() at time zone 'UTC')::date, n % 60, now() - interval '10 seconds' from ${everybody}`)
  // Half of them have been counted as a view already.
  await db.execute(sql`
    insert into playback_sessions (id, session_id, story_id, day)
    select gen_random_uuid(), listener_id, story_id, day from playback_meters where seconds >= 30`)
  await vacuum(db)
  return contentIds
}

/** Sends reports for some seconds, from the `first` listener on. Returns how many were saved. */
async function beatFor(seconds: number, { db, contentIds, first }: Evening): Promise<number> {
  const until = performance.now() + seconds * 1_000
  let next = first
  async function send(): Promise<void> {
    while (performance.now() < until) {
      const number = next % listeners
      next += 1
      await beat(db, number, contentIds[number % items] ?? '')
    }
  }
  await Promise.all(Array.from({ length: connections * 2 }, send))
  return next - first
}

type Evening = { db: Database; contentIds: string[]; first: number }

async function beat(db: Database, number: number, contentId: string): Promise<void> {
  const listener = { anonId: `listener ${number}`, userId: null }
  const report = {
    contentId,
    contentType: 'story',
    lastPositionSec: 40,
    totalSec: 3_600,
    deviceId: `device ${number}`,
    sequence: Date.now(),
  } as const
  await saveProgress(db, listener, report, { device: 'computer', addressHash: null, isCounted: true })
}

type Costs = { databaseSeconds: number; ownSeconds: number; logBytes: number }

async function readCosts(db: Database, pid: number): Promise<Costs> {
  const [row] = await db.execute<{ bytes: number }>(
    sql`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
  )
  const { user, system } = process.cpuUsage()
  return {
    databaseSeconds: await childSeconds(pid),
    ownSeconds: (user + system) / 1e6,
    logBytes: row?.bytes ?? Number.NaN,
  }
}

/** Returns the processor time in seconds of a process's running children. Linux counts it in hundredths of a second. */
async function childSeconds(parent: number): Promise<number> {
  let ticks = 0
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    // After the name in brackets: state, parent, and later the 14th and 15th field of the line, user and system time.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    if (Number(fields[1]) === parent) ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks / 100
}

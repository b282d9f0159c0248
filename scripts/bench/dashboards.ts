import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { rebuildAll, rollUpIfFree } from '#src/analytics/rollup'
import { periods } from '#src/analytics/rules'
import { categoryFilters } from '#src/analytics/schema'
import { fillEvents } from '#src/analytics/testing-fill'
import { fillLibrary } from './fill'
import { figure, heading } from './report'
import { benchToken, type Served, withServerAndDatabase } from './servers'
import { vacuum } from './vacuum'

const yearEvents = 10_000_000
/** Runs of each call. The first is a warm-up and does not count. */
const rounds = 40

/** Measures every dashboard call over a year of events, and a fold with no new events. */
export async function benchDashboards(): Promise<void> {
  await withServerAndDatabase(async (server, db) => {
    heading(`Dashboards, ${yearEvents.toLocaleString('en')} events over 365 days, one connection`)
    await fillYear(db)
    await readDashboards(server)
    await benchTicks(db)
  })
}

/** Inserts a year of events with its rollups, and vacuums as autovacuum would have. */
export async function fillYear(db: Database): Promise<void> {
  await fillLibrary(db, 300)
  await makePastPartitions(db)
  const filledAt = performance.now()
  const slices = 200
  await fillEvents(db, {
    events: yearEvents,
    days: 365,
    visitors: 120_000,
    contentIds: await itemIds(db),
    slices,
  })
  figure('writing them (not judged)', (performance.now() - filledAt) / 1_000, 's')
  const rebuiltAt = performance.now()
  await rebuildAll(db)
  figure('rebuilding all days (not judged)', (performance.now() - rebuiltAt) / 1_000, 's')
  await vacuum(db)
}

/** Measures each call for each period and category, one after the other. */
export async function readDashboards(server: Served): Promise<void> {
  const calls = ['summary', 'behavior', 'content', 'content-trends'].flatMap((name) =>
    periods.flatMap((days) =>
      categoryFilters.map((category) => ({
        name,
        days,
        path: `${name}?days=${days}&category=${encodeURIComponent(category)}`,
      })),
    ),
  )
  const headers = { authorization: `Bearer ${benchToken}` }
  const timesOf = async (path: string) => {
    const times: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const startedAt = performance.now()
      const response = await fetch(`${server.url}/api/analytics/${path}`, { headers })
      await response.text()
      if (!response.ok) throw new Error(`${path} answered ${response.status}`)
      if (round > 0) times.push(performance.now() - startedAt)
    }
    return times
  }
  const byName = new Map<string, { worst: number; path: string }>()
  for (const { name, path } of [...calls, { name: 'realtime', path: 'realtime' }]) {
    const worst = quantile(await timesOf(path), 0.95)
    if (worst > (byName.get(name)?.worst ?? 0)) byName.set(name, { worst, path })
  }
  for (const { worst, path } of byName.values()) figure(`slowest p95: ${path}`, worst, 'ms', { atMost: 50 })
}

async function benchTicks(db: Database): Promise<void> {
  await rollUpIfFree(db)
  const ticks: number[] = []
  for (let round = 0; round < 20; round += 1) {
    const startedAt = performance.now()
    await rollUpIfFree(db)
    ticks.push(performance.now() - startedAt)
  }
  figure('a tick with nothing new, p95', quantile(ticks, 0.95), 'ms', { atMost: 10 })
}

export async function itemIds(db: Database): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`select id::text from stories order by id`)
  return rows.map(({ id }) => id)
}

async function makePastPartitions(db: Database): Promise<void> {
  const now = new Date()
  for (let ago = 1; ago <= 12; ago += 1) {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1))
    const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago + 1, 1))
    const name = `analytics_events_${from.toISOString().slice(0, 7).replace('-', '_')}`
    await db.execute(
      sql.raw(
        `create table if not exists ${name} partition of analytics_events for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
      ),
    )
  }
}

function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0
}

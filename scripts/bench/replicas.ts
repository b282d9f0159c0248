import { mkdtempSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#db/db'
import type { Embedded } from '#db/embedded/start'
import { openPair } from '#db/testing-pair'
import { fillLibrary } from './fill'
import { joinNocturne } from './join'
import { press } from './load'
import { cpuMsOf } from './processes'
import { heading, notMeasured, table } from './report'
import { forget, serveNocturne } from './servers'

const seconds = 5
/** Searches for a thousand different words, because a repeated search is answered from memory. */
const searches = Array.from({ length: 1_000 }, (_, at) => `/stories?q=word${at * 9}`)
const pages = [
  { name: 'a list, a member', paths: ['/stories'], isMember: true },
  { name: 'searches, a visitor', paths: searches, isMember: false },
  { name: 'searches, a member', paths: searches, isMember: true },
]

type Row = { perSecond: number; programMs: number; primaryMs: number; standbyMs: number }

/** Measures what a page costs the primary, alone and with a streaming standby that the program reads from. */
export async function benchReplicas(): Promise<void> {
  heading('DATABASE_REPLICA_URL, 20,000 items (16 connections; processor of each server, a request)')
  if (process.platform !== 'linux') return notMeasured('replicas', 'only Linux tells the processor time')
  if (!Bun.which('wrk')) return notMeasured('replicas', 'wrk is not installed')
  const pair = await openPair({ fsync: 'off' })
  // One folder for all runs, because its secrets are those of the library.
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-bench-'))
  try {
    const db = openDatabase(pair.primary.url, { max: 2 })
    await fillLibrary(db, 20_000)
    await db.close()
    const rows = [
      ...(await measure('primary alone', pair, { DATA_DIR: dataDir })),
      ...(await measure('with a standby', pair, {
        DATA_DIR: dataDir,
        DATABASE_REPLICA_URL: pair.standby.url,
      })),
    ]
    table(
      [
        { name: 'req/s', of: ({ perSecond }) => perSecond },
        { name: 'program, ms', of: ({ programMs }) => programMs },
        { name: 'primary, ms', of: ({ primaryMs }) => primaryMs },
        { name: 'standby, ms', of: ({ standbyMs }) => standbyMs },
      ],
      rows,
    )
  } finally {
    await pair.remove()
    forget(dataDir)
  }
}

type Pair = { primary: Embedded; standby: Embedded }

async function measure(
  name: string,
  pair: Pair,
  environment: Record<string, string>,
): Promise<[string, Row][]> {
  const server = await serveNocturne({ DATABASE_URL: pair.primary.url, ...environment })
  const pids = [server.pid, await pidOf(pair.primary), await pidOf(pair.standby)]
  const rows: [string, Row][] = []
  try {
    const cookie = await joinNocturne(server.url)
    for (const page of pages) {
      const headers: Record<string, string> = page.isMember ? { cookie } : {}
      const load = () => press(server.url, { seconds, headers, paths: page.paths })
      await load()
      const before = pids.map(cpuMsOf)
      const perSecond = (await load())?.requestsPerSecond ?? 0
      const [programMs = 0, primaryMs = 0, standbyMs = 0] = pids.map(
        (pid, at) => (cpuMsOf(pid) - (before[at] ?? 0)) / (perSecond * seconds),
      )
      rows.push([`${page.name}, ${name}`, { perSecond, programMs, primaryMs, standbyMs }])
    }
  } finally {
    await server.stop()
    forget(server.dataDir)
  }
  return rows
}

async function pidOf({ place }: Embedded): Promise<number> {
  return Number.parseInt(await readFile(join(place, 'postmaster.pid'), 'utf8'), 10)
}

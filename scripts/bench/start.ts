import { readdirSync, readFileSync } from 'node:fs'
import { figure, heading, notMeasured } from './report'
import { forget, serveNocturne } from './servers'

/** Without a voice. Otherwise the demo library would be narrated for minutes, by a process of its own with 140 MB. */
const atRest = { DEMO: 'on', VOICE_ORDER: 'openai' }

/** Measures a restart with an existing library, and the idle memory of the program and its database. */
export async function benchStart(): Promise<void> {
  heading('Start and rest (the demo library)')
  const first = await serveNocturne(atRest)
  figure('first start to first page (initdb, migrations, demo library)', first.startMs / 1_000, 's')
  await first.stop()
  const starts: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const warm = await serveNocturne(atRest, first.dataDir)
    starts.push(warm.startMs)
    if (round === 2) {
      await Bun.sleep(75_000)
      const bytes = proportionalBytes(warm.pid, first.dataDir)
      if (bytes === null) notMeasured('proportional set size', 'this system has no /proc/…/smaps_rollup')
      else
        figure('server and database at rest, proportional set size', bytes / 1024 / 1024, 'MB', {
          atMost: 180,
        })
    }
    await warm.stop()
  }
  figure('warm start to first page', (starts.toSorted((a, b) => a - b)[1] ?? 0) / 1_000, 's', { atMost: 0.9 })
  forget(first.dataDir)
}

/** Returns the memory of the server, its children and the database's processes. Shared pages are counted once. */
function proportionalBytes(pid: number, dataDir: string): number | null {
  try {
    let bytes = 0
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue
      const command = read(`/proc/${name}/cmdline`)
      const parent = read(`/proc/${name}/stat`).split(') ')[1]?.split(' ')[1]
      const isOurs =
        Number(name) === pid ||
        Number(parent) === pid ||
        command.includes(dataDir) ||
        isPostgresOf(name, dataDir)
      if (isOurs) bytes += Number(read(`/proc/${name}/smaps_rollup`).match(/^Pss:\s+(\d+)/m)?.[1] ?? 0) * 1024
    }
    return bytes
  } catch {
    return null
  }
}

/**
 * Whether a process belongs to the PostgreSQL of a data folder. Its processes rename themselves to `postgres: …`, and
 * only their environment tells which server they belong to.
 */
function isPostgresOf(name: string, dataDir: string): boolean {
  return (
    read(`/proc/${name}/cmdline`).startsWith('postgres') && read(`/proc/${name}/environ`).includes(dataDir)
  )
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

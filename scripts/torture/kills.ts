import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Embedded, embeddedStatus } from '#db/embedded/start'
import { untilReady } from '#scripts/until-ready'
import type { Random } from './random'
import type { Outcome } from './report'
import { type Strike, underLoad } from './under-load'

/** Kills the program at random moments of a mixed load, as by a power cut, and starts it again. */
export function killProgram(random: Random, times: number): Promise<Outcome> {
  const strike: Strike = async (target) => {
    await target.kill()
    await target.start()
  }
  return underLoad({ part: 'program killed', random, strikes: Array(times).fill(strike) })
}

/** Kills PostgreSQL at random moments. It is restarted, and the program continues. */
export function killDatabase(random: Random, times: number): Promise<Outcome> {
  const strike: Strike = async ({ dataDir, origin }) => {
    const { place } = await embeddedStatus(dataDir)
    await killPostgres(place)
    await untilReady(origin)
  }
  return underLoad({ part: 'database killed', random, strikes: Array(times).fill(strike) })
}

/** Kills a PostgreSQL that is not restarted. */
export async function killServer(server: Embedded): Promise<void> {
  const killing = server.stop()
  await killPostgres(server.place)
  await killing.catch(() => {})
}

async function killPostgres(place: string): Promise<void> {
  const postmaster = Number.parseInt(await readFile(join(place, 'postmaster.pid'), 'utf8'), 10)
  for (const pid of [...(await childrenOf(postmaster)), postmaster]) killIfThere(pid)
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').map(Number).filter(Boolean)
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has ended by itself.
  }
}

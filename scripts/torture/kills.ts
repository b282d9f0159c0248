import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Embedded, embeddedStatus } from '#db/embedded/start'
import { untilReady } from '#scripts/until-ready'
import type { Random } from './random'
import type { Outcome } from './report'
import { type Strike, underLoad } from './under-load'

/** The program is killed at random moments of mixed load, as by a power cut, and started again. */
export function killProgram(random: Random, times: number): Promise<Outcome> {
  const strike: Strike = async (target) => {
    await target.kill()
    await target.start()
  }
  return underLoad({ part: 'program killed', random, strikes: Array(times).fill(strike) })
}

/** PostgreSQL is killed at random moments; it is restarted, and the program goes on. */
export function killDatabase(random: Random, times: number): Promise<Outcome> {
  const strike: Strike = async ({ dataDir, origin }) => {
    const { place } = await embeddedStatus(dataDir)
    await killPostgres(place)
    await untilReady(origin)
  }
  return underLoad({ part: 'database killed', random, strikes: Array(times).fill(strike) })
}

/** The same for one that nobody starts again. */
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
    // It has ended by itself.
  }
}

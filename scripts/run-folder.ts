import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '#db/embedded/postmaster'

const gibibyte = 1024 ** 3

/**
 * Where a run stores what goes away with it: in memory where the machine has enough, else on its disk. An empty database
 * is copied there in a tenth of the processor's time, and a run copies hundreds.
 */
export async function temporaryPlace(): Promise<string> {
  const memory = '/dev/shm'
  const found = existsSync(memory) ? await statfs(memory) : { bavail: 0, bsize: 0 }
  const hasRoom = found.bavail * found.bsize >= 4 * gibibyte && totalmem() >= 7 * gibibyte
  return hasRoom ? memory : tmpdir()
}

/** Short: paths of sockets, which stand inside, have room for about 100 bytes. */
const prefix = 'nocturne-run-'

/**
 * The temporary folder of one run of the tests, and removes those of runs that were killed. A worker ends without a
 * hook, so what it still holds (a Chromium's profile) goes with this folder.
 */
export async function openRunFolder(): Promise<string> {
  for (const name of readdirSync(tmpdir())) {
    const owner = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN
    if (!Number.isNaN(owner) && !isAlive(owner)) await closeRunFolder(join(tmpdir(), name))
  }
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  // As `/tmp`: tests that run as root start PostgreSQL as another user.
  await chmod(folder, 0o1777)
  return folder
}

/**
 * Tries again while a Chromium is still ending: where a file goes away meanwhile, Bun's `rm` stops without an error.
 * What another user owns is left to the next run.
 */
export async function closeRunFolder(folder: string): Promise<void> {
  for (let tries = 0; tries < 20 && existsSync(folder); tries += 1) {
    await rm(folder, { recursive: true, force: true }).catch(() => {})
    await Bun.sleep(tries * 50)
  }
}

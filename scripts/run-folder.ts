import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { listLeftOvers, memoryFolder } from '#db/testing-places'

const gibibyte = 1024 ** 3

/**
 * Where a run stores what goes away with it: in memory where the machine has enough, else on its disk. An empty database
 * is copied there in a tenth of the processor's time, and a run copies hundreds.
 */
export async function temporaryPlace(memory = memoryFolder): Promise<string> {
  const found = existsSync(memory) ? await statfs(memory) : { bavail: 0, bsize: 0 }
  const hasRoom = found.bavail * found.bsize >= 4 * gibibyte && totalmem() >= 7 * gibibyte
  return hasRoom && (await canRunPrograms(memory)) ? memory : tmpdir()
}

/** Tests store programs and start them; containers mount their memory without that right (`noexec`). */
async function canRunPrograms(folder: string): Promise<boolean> {
  const program = join(folder, `${prefix}${process.pid}-program`)
  try {
    await writeFile(program, '#!/bin/sh\n', { mode: 0o700, flag: 'wx' })
    return Bun.spawnSync([program]).success
  } catch {
    return false
  } finally {
    await rm(program, { force: true }).catch(() => {})
  }
}

/** Short: paths of sockets, which stand inside, have room for about 100 bytes. */
const prefix = 'nocturne-run-'

/**
 * The temporary folder of one run of the tests, and removes those of runs that were killed. A worker ends without a
 * hook, so what it still holds (a Chromium's profile) goes with this folder.
 */
export async function openRunFolder(): Promise<string> {
  for (const folder of listLeftOvers(prefix)) await closeRunFolder(folder)
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

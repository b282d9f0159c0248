import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { listLeftOvers, memoryFolder } from '#db/testing-places'

const gibibyte = 1024 ** 3

/**
 * Returns where a run stores its temporary data: in memory if the machine has enough, otherwise on its disk. In memory,
 * copying an empty database takes a tenth of the processor time, and a run copies hundreds.
 */
export async function temporaryPlace(memory = memoryFolder): Promise<string> {
  const found = existsSync(memory) ? await statfs(memory) : { bavail: 0, bsize: 0 }
  const hasRoom = found.bavail * found.bsize >= 4 * gibibyte && totalmem() >= 7 * gibibyte
  return hasRoom && (await canRunPrograms(memory)) ? memory : tmpdir()
}

/** Whether programs can be started from a folder, which tests do. Containers mount their memory with `noexec`. */
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

/** Short, because the folder contains sockets, whose paths may have about 100 bytes. */
const prefix = 'nocturne-run-'

/**
 * Creates the temporary folder of a test run, and removes those of runs that were killed. A worker ends without a hook,
 * so whatever it still holds (a Chromium's profile) is removed with this folder.
 */
export async function openRunFolder(): Promise<string> {
  for (const folder of listLeftOvers(prefix)) await closeRunFolder(folder)
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  // Like `/tmp`, because tests that run as root start PostgreSQL as another user.
  await chmod(folder, 0o1777)
  return folder
}

/**
 * Removes a run's folder. It tries again while a Chromium is still ending, because Bun's `rm` stops without an error if
 * a file disappears meanwhile. Files of another user are left to the next run.
 */
export async function closeRunFolder(folder: string): Promise<void> {
  for (let tries = 0; tries < 20 && existsSync(folder); tries += 1) {
    await rm(folder, { recursive: true, force: true }).catch(() => {})
    await Bun.sleep(tries * 50)
  }
}

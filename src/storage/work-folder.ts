import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { stagedLeftSeconds } from './staging'

/**
 * Creates a folder under DATA_DIR for the files of one job, and removes it when `use` ends or throws. Also removes the
 * folders of killed programs.
 */
export async function withWorkFolder<T>(dataDir: string, use: (folder: string) => Promise<T>): Promise<T> {
  const parent = join(dataDir, 'speaking')
  await mkdir(parent, { recursive: true })
  await sweepWorkFolders(dataDir)
  const folder = await mkdtemp(join(parent, 'job-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes the folders of killed programs, which have not changed for an hour. Returns how many. */
export async function sweepWorkFolders(dataDir: string): Promise<number> {
  const parent = join(dataDir, 'speaking')
  let removed = 0
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = join(parent, name)
    if (Date.now() - (await lastWriteMs(folder)) < stagedLeftSeconds * 1_000) continue
    await rm(folder, { recursive: true, force: true })
    removed += 1
  }
  return removed
}

async function lastWriteMs(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const paths = [folder, ...names.map((name) => join(folder, name))]
  const times = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        (found) => found.mtimeMs,
        () => 0,
      ),
    ),
  )
  return Math.max(...times)
}

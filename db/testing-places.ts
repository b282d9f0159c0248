import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '#db/embedded/postmaster'

/** A file system in memory, on Linux. */
export const memoryFolder = '/dev/shm'

/**
 * Returns the folders that killed runs have left behind, in any place where a run stores data. Their names are `prefix`
 * and the id of a process that has ended.
 */
export function listLeftOvers(prefix: string): string[] {
  const places = new Set([tmpdir(), '/tmp', memoryFolder])
  return [...places]
    .filter((place) => existsSync(place))
    .flatMap((place) => readdirSync(place).map((name) => ({ name, path: join(place, name) })))
    .filter(({ name }) => {
      const owner = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN
      return !Number.isNaN(owner) && !isAlive(owner)
    })
    .map(({ path }) => path)
}

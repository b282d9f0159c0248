import { untilReady } from '#scripts/until-ready'
import { mountSmallDisk } from '#src/disk/testing'
import type { Random } from './random'
import type { Outcome } from './report'
import { type Strike, underLoad } from './under-load'

/** Space for the cluster, its log, and little more. */
const diskMegabytes = 256
/** The limit if no disk can be mounted: less than any upload of the load, and than the log of a busy minute. */
const fileKilobytesMax = 8

/**
 * Fills the disk of DATA_DIR to the last byte under load, leaves it full for a while, and frees it again. If no small
 * disk can be mounted, the sizes of the program's files are limited to a few kilobytes instead.
 */
export async function fillDisk(random: Random, times: number, fullSeconds: number): Promise<Outcome> {
  const disk = mountSmallDisk(diskMegabytes)
  if (!disk) return limitFiles(random, times, fullSeconds)
  const strike: Strike = async ({ origin }) => {
    await disk.fill(0)
    await Bun.sleep(fullSeconds * 1_000)
    disk.makeRoom()
    await untilReady(origin)
  }
  try {
    return await underLoad({
      part: 'disk full',
      random,
      strikes: Array(times).fill(strike),
      target: { dataDir: disk.folder },
      note: `full for ${fullSeconds} s each`,
    })
  } finally {
    disk.remove()
  }
}

/** Limits every file that the program writes to a few kilobytes. Its database is not limited. */
export function limitFiles(random: Random, times: number, fullSeconds: number): Promise<Outcome> {
  const strike: Strike = async ({ origin }) => {
    await Bun.sleep(fullSeconds * 1_000)
    await untilReady(origin)
  }
  return underLoad({
    part: 'files limited',
    random,
    strikes: Array(times).fill(strike),
    target: { fileKilobytesMax },
    note: `no file longer than ${fileKilobytesMax} KB`,
  })
}

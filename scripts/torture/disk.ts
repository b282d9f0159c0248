import { untilReady } from '#scripts/until-ready'
import { mountSmallDisk } from '#src/disk/testing'
import type { Random } from './random'
import type { Outcome } from './report'
import { type Strike, underLoad } from './under-load'

/** Room for the cluster, its log, and little more. */
const diskMegabytes = 256
/** Where no disk can be mounted: less than any upload of the load, and than the log of a busy minute. */
const fileKilobytesMax = 8

/**
 * The disk of DATA_DIR fills up to its last byte under load, stays full for a while, and has room again. Where no
 * small disk can be mounted, the program's files cannot grow past a few kilobytes instead.
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

/** Every file that the program writes is refused past a few kilobytes; its database is not limited. */
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

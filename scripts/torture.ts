import { ensureBuilt } from '#scripts/build'
import { closeRunFolder, openRunFolder } from '#scripts/run-folder'
import { jumpClock } from '#scripts/torture/clock'
import { breakCluster } from '#scripts/torture/cluster/break-cluster'
import { fillDisk } from '#scripts/torture/disk'
import { floodEvents } from '#scripts/torture/floods'
import { killDatabase, killProgram } from '#scripts/torture/kills'
import { breakDatabaseLine, breakProviderLine } from '#scripts/torture/network'
import { createRandom, type Random } from '#scripts/torture/random'
import { isGood, type Outcome, tableOf } from '#scripts/torture/report'
import { soak } from '#scripts/torture/soak'
import { spikeLoad } from '#scripts/torture/spike'
import { fullLibrary, smallLibrary, upgradeLibrary } from '#scripts/torture/upgrade'

/**
 * Crash and fault tests of the program: `bun run torture`, or only some parts: `bun run torture kills disk`. Each part
 * starts the program with a real PostgreSQL under a mixed load, injects faults, and compares what was acknowledged with
 * what is stored. `--seed N` repeats the same choices; `--short` takes two minutes instead of forty. Exits with 1 if
 * anything was lost.
 */
type Size = 'long' | 'short'
const parts: Record<string, (random: Random, size: Size) => Promise<Outcome>> = {
  kills: (random, size) => killProgram(random, size === 'long' ? 100 : 5),
  'database-kills': (random, size) => killDatabase(random, size === 'long' ? 20 : 3),
  'database-line': (random, size) =>
    breakDatabaseLine(random, {
      cuts: size === 'long' ? 30 : 4,
      slowSeconds: 5,
      silentSeconds: 3,
      awaySeconds: size === 'long' ? 60 : 5,
    }),
  'provider-line': (random, size) =>
    breakProviderLine(random, { cuts: size === 'long' ? 30 : 4, slowSeconds: 3, awaySeconds: 3 }),
  disk: (random, size) => (size === 'long' ? fillDisk(random, 3, 20) : fillDisk(random, 1, 3)),
  clock: (random, size) => jumpClock(random, size === 'long' ? 5 : 1),
  spike: (random, size) =>
    size === 'long'
      ? spikeLoad(random, { steadySeconds: 30, spikeSeconds: 60, listeners: 20, perSecond: 40 })
      : spikeLoad(random, { steadySeconds: 5, spikeSeconds: 10, listeners: 8, perSecond: 20 }),
  floods: (random, size) => floodEvents(random, { secondsEach: size === 'long' ? 20 : 3, pageSecondsMax: 2 }),
  cluster: (random, size) => breakCluster(random, size === 'long' ? 4 : 1),
  upgrade: (_, size) => upgradeLibrary(size === 'long' ? fullLibrary : smallLibrary),
  soak: (random, size) => soak(random, size === 'long' ? 20 : 1),
}

const words = process.argv.slice(2)
const seedAt = words.indexOf('--seed')
const seed = seedAt < 0 ? 20_261_122 : Number(words[seedAt + 1])
const size: Size = words.includes('--short') ? 'short' : 'long'
const names = words.filter((word, at) => !word.startsWith('--') && (seedAt < 0 || at !== seedAt + 1))
const unknown = names.find((name) => !(name in parts))
if (unknown !== undefined || !Number.isSafeInteger(seed)) {
  process.stderr.write(
    `Usage: bun run torture [${Object.keys(parts).join('] [')}] [--seed N] [--short]\n${unknown === undefined ? '' : `There is no part ${JSON.stringify(unknown)}.\n`}`,
  )
  process.exit(2)
}

await ensureBuilt()
// One folder contains everything that the parts store. It is removed however they end.
const folder = await openRunFolder()
process.env.TMPDIR = folder
const outcomes: Outcome[] = []
try {
  for (const name of names.length > 0 ? names : Object.keys(parts)) {
    process.stderr.write(`${name} …\n`)
    // Each part has its own random stream, so that it makes the same choices alone as among the others.
    const outcome = await parts[name]?.(createRandom(seed), size)
    if (outcome) outcomes.push(outcome)
  }
} finally {
  await closeRunFolder(folder)
}
process.stdout.write(`${tableOf(outcomes, seed)}\n`)
process.exit(outcomes.every(isGood) ? 0 : 1)

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '#scripts/build'
import { fillDisk, limitFiles } from './disk'
import { floodEvents } from './floods'
import { killDatabase, killProgram } from './kills'
import { breakDatabaseLine, breakProviderLine } from './network'
import { createRandom } from './random'
import { isGood, tableOf } from './report'

/** The short form of `bun run torture`: a few faults of each kind, with the default seed. */
const seed = 20_261_122
if (!existsSync(join(import.meta.dir, '../../.build/manifest.json'))) await build()

test.each([
  ['the program is killed', () => killProgram(createRandom(seed), 3)],
  ['its database is killed', () => killDatabase(createRandom(seed), 2)],
  ['the line to its database breaks', () => breakDatabaseLine(createRandom(seed), 3, 2)],
  ['the line to its voices breaks', () => breakProviderLine(createRandom(seed), 2)],
  ['its disk is full', () => fillDisk(createRandom(seed), 1, 2)],
  ['its files cannot grow', () => limitFiles(createRandom(seed), 1, 3)],
  ['events flood it', () => floodEvents(createRandom(seed), 1)],
])('nothing that was acknowledged is lost when %s', async (_, part) => {
  const outcome = await part()
  expect(isGood(outcome) || tableOf([outcome], seed)).toBe(true)
  expect(outcome.acknowledged).toBeGreaterThan(20)
})

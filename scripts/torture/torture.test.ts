import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureBuilt } from '#scripts/build'
import { configure } from './cluster/balancer'
import { describeSights, shuffle } from './cluster/sights'
import { fillDisk, limitFiles } from './disk'
import { floodEvents } from './floods'
import { killDatabase, killProgram } from './kills'
import { breakDatabaseLine, breakProviderLine } from './network'
import { createRandom } from './random'
import { isGood, tableOf } from './report'

/** The short form of `bun run torture`: a few faults of each kind, with the default seed. */
const seed = 20_261_122
await ensureBuilt()

test.each([
  ['the program is killed', () => killProgram(createRandom(seed), 2)],
  ['its database is killed', () => killDatabase(createRandom(seed), 1)],
  [
    'the line to its database breaks',
    () =>
      breakDatabaseLine(createRandom(seed), {
        cuts: 2,
        slowSeconds: 0.5,
        silentSeconds: 0.5,
        awaySeconds: 0.5,
      }),
  ],
  [
    'the line to its voices breaks',
    () => breakProviderLine(createRandom(seed), { cuts: 1, slowSeconds: 0.5, awaySeconds: 0.5 }),
  ],
  ['its disk is full', () => fillDisk(createRandom(seed), 1, 0.5)],
  ['its files cannot grow', () => limitFiles(createRandom(seed), 1, 0.5)],
  // On a machine that is busy with other tests, a page may take long.
  ['events flood it', () => floodEvents(createRandom(seed), { secondsEach: 0.1, pageSecondsMax: 60 })],
])('no acknowledged write is lost when %s', async (_, part) => {
  const outcome = await part()
  expect(isGood(outcome) || tableOf([outcome], seed)).toBe(true)
  expect(outcome.acknowledged).toBeGreaterThan(20)
})

test('the torture cluster uses the documented haproxy.cfg with local addresses', async () => {
  const documented = await readFile(join(import.meta.dir, '../../docs/deploy/haproxy.cfg'), 'utf8')
  const configured = configure(documented, {
    httpPort: 1,
    databasePort: 2,
    instances: [3, 4, 5],
    databases: [
      { socket: '/one', guardPort: 6 },
      { socket: '/two', guardPort: 7 },
    ],
  })
  expect(configured.match(/^ {2}(bind|server) .*$/gm)).toEqual([
    '  bind 127.0.0.1:1',
    '  server instance-0 127.0.0.1:3',
    '  server instance-1 127.0.0.1:4',
    '  server instance-2 127.0.0.1:5',
    '  bind 127.0.0.1:2',
    '  server postgres-0 unix@/one addr 127.0.0.1 port 6',
    '  server postgres-1 unix@/two addr 127.0.0.1 port 7',
  ])
  expect(configured).not.toMatch(/10\.0\.0|redirect/)
})

test('faults come in an order given by the seed, each once, and results are printed as a table', () => {
  const order = (by: number) => shuffle(createRandom(by), [1, 2, 3, 4, 5])
  expect(order(seed)).toEqual(order(seed))
  expect(order(seed).toSorted()).toEqual([1, 2, 3, 4, 5])
  const sight = { name: 'a lamp', seconds: 1, requests: 2, retried: 3, failed: 4, longestGapSeconds: 5 }
  expect(describeSights([sight])).toMatch(/a lamp +1\.0 +2 +3 +4 +5\.0$/)
})

import { expect, test } from 'bun:test'
import { embeddedPool } from './open-database'

test.each([
  ['two cores: two per core and two more', { databasePool: 10, processes: 1 }, 2, 6],
  ['one core: two per core and two more', { databasePool: 10, processes: 1 }, 1, 4],
  ['sixteen cores: DATABASE_POOL', { databasePool: 10, processes: 1 }, 16, 10],
  [
    'sixteen cores with eight processes: an equal share of its connections',
    { databasePool: 10, processes: 8 },
    16,
    3,
  ],
])('pool size for the embedded PostgreSQL on %s', (_, env, cores, connections) => {
  expect(embeddedPool(env, cores)).toBe(connections)
})

import { expect, test } from 'bun:test'
import { embeddedPool } from './open-database'

test.each([
  ['a small machine: two a core, and two more', { databasePool: 10, processes: 1 }, 2, 6],
  ['a single core', { databasePool: 10, processes: 1 }, 1, 4],
  ['a large one: what the operator set', { databasePool: 10, processes: 1 }, 16, 10],
  ['many processes share what PostgreSQL has', { databasePool: 10, processes: 8 }, 16, 3],
])('pool size for the embedded PostgreSQL on %s', (_, env, cores, connections) => {
  expect(embeddedPool(env, cores)).toBe(connections)
})

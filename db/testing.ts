import { afterAll } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { connect } from './connect'
import { type Database, openDatabase } from './db'
import { startTestCluster, type TestCluster } from './testing-cluster'

let cluster: Promise<TestCluster & { superuser: Sql }> | undefined

/**
 * Creates a fresh, migrated, empty database, which is dropped after the test file. Copying one takes tens of
 * milliseconds. Without a server from `scripts/test.ts` the first call starts one, so call it at the top of the file
 * (`const db = await testDatabase()`), where no test's time limit applies.
 */
export async function testDatabase(): Promise<Database> {
  const db = openDatabase(await testDatabaseUrl(), { max: 5, applicationName: 'nocturne test' })
  afterAll(() => db.close())
  return db
}

/** Like `testDatabase`, but returns the URL, to be the DATABASE_URL of a server in a child process. */
export async function testDatabaseUrl(): Promise<string> {
  return createDatabase('nocturne')
}

/** Creates a database without any table, for tests of the migrations themselves. */
export async function emptyDatabaseUrl(): Promise<string> {
  return createDatabase('template1')
}

async function createDatabase(template: string): Promise<string> {
  cluster ??= openCluster()
  const { url, superuser } = await cluster
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copying the files takes 20 ms; writing the copy to the log (the default) takes 220 ms.
  await superuser.unsafe(`create database ${name} template ${template} owner nocturne strategy file_copy`)
  afterAll(async () => void (await superuser.unsafe(`drop database if exists ${name} with (force)`)))
  const address = new URL(url)
  address.username = 'nocturne'
  address.pathname = `/${name}`
  return address.href
}

/** Connects to the server of the whole run, which `scripts/test.ts` names, or starts one for this process. */
async function openCluster(): Promise<TestCluster & { superuser: Sql }> {
  const url = process.env.TEST_CLUSTER_URL
  const found = url ? { url, stop: async () => {} } : await startTestCluster()
  return { ...found, superuser: connect(found.url, { max: 2 }) }
}

/** Disconnects, and stops the server if this process has started it. */
export async function closeTestCluster(): Promise<void> {
  const opened = await cluster
  cluster = undefined
  await opened?.superuser.end()
  await opened?.stop()
}

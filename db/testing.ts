import { afterAll } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { connect } from './connect'
import { type Database, openDatabase } from './db'
import { startTestCluster, type TestCluster } from './testing-cluster'

let cluster: Promise<TestCluster & { superuser: Sql }> | undefined

/**
 * A fresh, migrated, empty database, dropped after the file that created it. It is copied in tens of milliseconds,
 * but without a server from `scripts/test.ts` the first call starts one: call it at the top of the file (`const db =
 * await testDatabase()`), where no test's time limit runs.
 */
export async function testDatabase(): Promise<Database> {
  const db = openDatabase(await testDatabaseUrl(), { max: 5, applicationName: 'nocturne test' })
  afterAll(() => db.close())
  return db
}

/** The same as a URL, for a server started as a child with it as its DATABASE_URL. */
export async function testDatabaseUrl(): Promise<string> {
  return createDatabase('nocturne')
}

/** A database without a single table, for tests of the migrations themselves. */
export async function emptyDatabaseUrl(): Promise<string> {
  return createDatabase('template1')
}

async function createDatabase(template: string): Promise<string> {
  cluster ??= openCluster()
  const { url, superuser } = await cluster
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copying the files takes 20 ms, writing the copy to the log (the default) 220 ms.
  await superuser.unsafe(`create database ${name} template ${template} owner nocturne strategy file_copy`)
  afterAll(async () => void (await superuser.unsafe(`drop database if exists ${name} with (force)`)))
  const address = new URL(url)
  address.username = 'nocturne'
  address.pathname = `/${name}`
  return address.href
}

/** The server of the whole run, which `scripts/test.ts` names, or one for this process. */
async function openCluster(): Promise<TestCluster & { superuser: Sql }> {
  const url = process.env.TEST_CLUSTER_URL
  const found = url ? { url, stop: async () => {} } : await startTestCluster()
  return { ...found, superuser: connect(found.url, { max: 2 }) }
}

/** Disconnects, and stops the server where this process started it. */
export async function closeTestCluster(): Promise<void> {
  const opened = await cluster
  cluster = undefined
  await opened?.superuser.end()
  await opened?.stop()
}

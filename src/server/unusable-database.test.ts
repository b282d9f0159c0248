import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '#db/connect'
import { startEmbedded } from '#db/embedded/start'
import { versionRefusal } from '#db/session-limits'
import { emptyDatabaseUrl, testDatabaseUrl } from '#db/testing'
import { tunnelTo } from '#db/testing-standby'
import { programStarter } from './testing-program'

/** A PostgreSQL as operators run it: with passwords, permissions, and rules about who may connect from where. */
const { complaintOf } = await programStarter()
const folder = await mkdtemp(join(tmpdir(), 'nocturne-unusable-'))
/** A loopback address that no other test listens on. Only Linux has all of 127.0.0.0/8. */
const host = `127.${process.pid % 250}.${(process.pid >> 8) % 250}.77`
const isLinux = process.platform === 'linux'
const server = await startEmbedded({
  dataDir: folder,
  log: () => {},
  settings: { fsync: 'off', ...(isLinux && { listen_addresses: host }) },
})
const { searchParams } = new URL(server.url)
const port = await tunnelTo(server.url)
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const sockets = `?host=${encodeURIComponent(searchParams.get('host') ?? '')}`
await asSuperuser(`
  create role locked login password 'moonlight';
  create role reader login;
  create database small owner locked`)
await changeRules((rules) => `local all locked scram-sha-256\nhostssl all all all scram-sha-256\n${rules}`)

async function asSuperuser(statements: string): Promise<void> {
  const address = new URL(server.url)
  address.username = 'postgres'
  const sql = connect(address.href, { max: 1 })
  for (const statement of statements.split(';')) await sql.unsafe(statement)
  await sql.end()
}

/** Changes pg_hba.conf, in which the first matching rule applies. */
async function changeRules(change: (rules: string) => string): Promise<void> {
  const file = join(server.place, 'pg_hba.conf')
  const rules = (await readFile(file, 'utf8')).replaceAll(/^host .*$/gm, '')
  await writeFile(file, change(rules))
  await asSuperuser('select pg_reload_conf()')
}

test.each([
  [
    'a wrong password',
    `postgres://locked:sunlight@localhost/nocturne${sockets}`,
    "The password in DATABASE_URL is not the one of its user. Correct it there, or in PostgreSQL: alter role … password '…'.",
  ],
  [
    'an unknown user',
    `postgres://ada@localhost/nocturne${sockets}`,
    "There is no user of the name in DATABASE_URL. Correct it, or make it: create role … login password '…'.",
  ],
  [
    'a missing database',
    `postgres://nocturne@localhost/nothing${sockets}`,
    'There is no database of the name in DATABASE_URL. Correct it, or make it: create database … owner ….',
  ],
  [
    'a missing right',
    `postgres://reader@localhost/nocturne${sockets}`,
    'The user of DATABASE_URL lacks a right in its database. Make it the owner: alter database … owner to ….',
  ],
  [
    'an unknown parameter of the address',
    `postgres://nocturne@localhost/nocturne${sockets}&channel_binding=require`,
    'The server of DATABASE_URL does not know a parameter of the address (unrecognized configuration parameter "channel_binding"). Take it out.',
  ],
  [
    'TLS that the server does not support',
    `postgres://nocturne@127.0.0.1:${port}/nocturne?sslmode=require`,
    'The server of DATABASE_URL has no TLS. Take sslmode out of the address, or turn ssl on in its postgresql.conf.',
  ],
])('%s stops the start with one sentence', async (_, url, sentence) => {
  expect(await complaintOf({ DATABASE_URL: url })).toBe(`Nocturne cannot start. ${sentence}\n`)
})

test.skipIf(!isLinux)('TLS that the server requires stops the start with one sentence', async () => {
  expect(await complaintOf({ DATABASE_URL: `postgres://nocturne@${host}:5432/nocturne` })).toBe(
    'Nocturne cannot start. The server of DATABASE_URL takes encrypted connections only. Add sslmode=require to the address, or allow others in its pg_hba.conf.\n',
  )
})

test('a database of another program stops the start with one sentence', async () => {
  const url = await emptyDatabaseUrl()
  const sql = connect(url, { max: 1 })
  await sql`create table users (name text)`
  expect(await complaintOf({ DATABASE_URL: url })).toBe(
    'Nocturne cannot start. The migration 0000_first_evening does not fit what the database holds (42P07, relation "users" already exists); what was migrated before it stays. Give Nocturne a database of its own, or put right what is in its way, then start again.\n',
  )
  await sql.end()
})

test('a database migrated by a newer version stops the start and is not written to', async () => {
  const url = await testDatabaseUrl()
  const sql = connect(url, { max: 1 })
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', ${Date.UTC(2099, 0, 1)})`
  expect(await complaintOf({ DATABASE_URL: url })).toMatch(
    /^Nocturne cannot start\. The database was migrated by a newer Nocturne, on 2099-01-01; this one knows it up to \w+ and writes nothing\. [^\n]+\n$/,
  )
  const [items] = await sql`select count(*)::int as count from stories`
  expect(items).toEqual({ count: 0 })
  await sql.end()
})

test('PostgreSQL 15 is refused with one sentence, and 16 accepted', () => {
  expect(versionRefusal(150_012, 'DATABASE_URL')?.message).toBe(
    'The PostgreSQL of DATABASE_URL is version 15; Nocturne needs 16 or newer. Upgrade it with pg_upgrade, or take another one.',
  )
  expect(versionRefusal(160_000, 'DATABASE_URL')).toBeNull()
})

test('a wrong DATABASE_DIRECT_URL is reported under its own name', async () => {
  const complaint = await complaintOf({
    DATABASE_URL: `postgres://nocturne@localhost/nocturne${sockets}`,
    DATABASE_DIRECT_URL: `postgres://locked:sunlight@localhost/nocturne${sockets}`,
  })
  expect(complaint).toStartWith('Nocturne cannot start. The password in DATABASE_DIRECT_URL is not')
  expect(complaint).not.toContain('sunlight')
})

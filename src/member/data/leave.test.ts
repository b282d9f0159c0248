import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { stories } from '#db/schema'
import { rollUp } from '#src/analytics/rollup'
import { countOfMember } from '#src/member/console/member-counts'
import { busyMember, tablesWith } from '#src/member/testing'
import { toneMp3 } from '#src/narration/testing'
import { listedMemberTables } from '#src/personal-data/registry'
import { placeIn } from '#src/storage/audio-folder'
import { memberPassword, operatorBrowser, testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { deleteMember } from './delete'
import { exportMember } from './export'

const { app, services } = await testApp()
const { db, storage } = services
const [ana, ben] = [
  await busyMember(app, services, 'anastasia', 220),
  await busyMember(app, services, 'benedikt', 330),
]
await rollUp(db)
// Adds an event that is not counted yet.
await db.execute(sql`
  insert into analytics_events (id, timestamp, anon_id, user_id, event_type)
  select gen_random_uuid(), timestamp, anon_id, user_id, event_type from analytics_events where user_id = ${ana.id}::uuid limit 1`)

/** Counts a member's rows in each table of the registry. */
async function tablesOf(who: { id: string; email: string }): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const { table, rows: rowsOf } of listedMemberTables) {
    const [row] = await db.execute<{ rows: number }>(
      sql`select count(*)::int as rows from ${sql.identifier(table)} where ${rowsOf(who)}`,
    )
    found[table] = row?.rows ?? 0
  }
  return found
}

type Row = Record<string, unknown>

async function unzip(zip: ReadableStream<Uint8Array>) {
  const files = unzipSync(await new Response(zip).bytes())
  const text = (name: string) => new TextDecoder().decode(files[name])
  return { files, text, rows: (table: string) => JSON.parse(text(`data/${table}.json`)) }
}

test('the test member has a row in every table that can hold one', async () => {
  const found = await tablesOf(ana)
  expect(Object.keys(found).filter((table) => found[table] === 0)).toEqual([
    // Its user_id column is never filled: aggregates are about items.
    'daily_aggregates',
  ])
  // No other table names the member.
  const known = new Set(Object.keys(found))
  expect((await tablesWith(db, ana.id, ana.email)).filter((table) => !known.has(table))).toEqual([])
})

describe('member export', () => {
  test('contains every row of the member and no other row', async () => {
    const { zip, fileName } = await exportMember(services, ana.id)
    expect(fileName).toMatch(/^nocturne-\d{4}-\d\d-\d\d\.zip$/)
    const { files, text, rows } = await unzip(zip)
    const found = await tablesOf(ana)
    const held = Object.keys(files).filter((name) => name.startsWith('data/'))
    expect(held.sort()).toEqual(
      Object.keys(found)
        .map((table) => `data/${table}.json`)
        .sort(),
    )
    for (const [table, count] of Object.entries(found)) {
      expect(`${table}: ${rows(table).length}`).toBe(`${table}: ${count}`)
      expect(text(`data/${table}.json`)).not.toContain(ben.id)
      expect(text('README.txt')).toContain(`${table}.json`)
    }
    expect(rows('users')).toMatchObject([{ id: ana.id, email: ana.email, first_name: 'anastasia' }])
    expect(rows('favorites')).toMatchObject([{ story_id: ana.liked }])
    expect(rows('stories')).toMatchObject([{ id: ana.itemId, content: 'They sat on the pier.' }])
    expect(rows('content_progress')).toMatchObject([{ last_position_sec: 60, total_sec: 600 }])
  })

  test('contains every column except secrets and derived values', async () => {
    const { rows } = await unzip((await exportMember(services, ana.id)).zip)
    const withUser = await db.execute<{ table: string }>(sql`
      select distinct table_name as "table" from information_schema.columns
      join pg_class on relname = table_name and not relispartition
      where table_schema = 'public' and column_name = 'user_id'`)
    expect(withUser.length).toBeGreaterThan(10)
    const leftOut = new Set<string>()
    for (const { table } of withUser) {
      const held = await db.execute<{ row: Row }>(sql`
        select to_jsonb(one) as row from ${sql.identifier(table)} as one where one.user_id = ${ana.id}::uuid`)
      const exported: Row[] = rows(table)
      for (const { row } of held) {
        for (const column of Object.keys(row))
          if (exported.every((each) => !(column in each))) {
            leftOut.add(`${table}.${column}`)
            delete row[column]
          }
        expect(exported).toContainEqual(row)
      }
    }
    expect([...leftOut].sort()).toEqual([
      'feed_tokens.token_hash',
      'mail_tokens.token_hash',
      'passkeys.credential_id',
      'passkeys.public_key',
      'push_devices.endpoint_hash',
      'push_devices.sealed',
      'push_devices.sid',
      'remembered_devices.token_hash',
      'sessions.sid',
      'sign_in_attempts.secret',
      'sign_in_attempts.token_hash',
      'stories.preview',
      'stories.search',
    ])
  })

  test('contains the narrations byte for byte', async () => {
    const { files } = await unzip((await exportMember(services, ana.id)).zip)
    const names = Object.keys(files).filter((name) => name.startsWith('narrations/'))
    expect(names).toEqual([expect.stringMatching(/^narrations\/the-pier-of-anastasia-\w+-female\.mp3$/)])
    expect(Buffer.compare(Buffer.from(files[names[0] ?? ''] ?? []), Buffer.from(await toneMp3(1, 220)))).toBe(
      0,
    )
  })

  test('contains no password hash, token, session id or IP address', async () => {
    const { files } = await unzip((await exportMember(services, ana.id)).zip)
    const all = Object.values(files)
      .map((bytes) => Buffer.from(bytes).toString('latin1'))
      .join('\n')
    expect(all).not.toContain('$argon2id$')
    expect(all).not.toContain('10.77.0')
    for (const word of ['token_hash', 'a state', 'a public key', 'credential_id'])
      expect(all).not.toContain(word)
    const sids = await db.execute<{ sid: string }>(sql`select sid from sessions`)
    for (const { sid } of sids) expect(all).not.toContain(sid)
  })

  test('names a missing narration and completes without it', async () => {
    const bytes = await toneMp3(1, 330)
    await storage.remove(ben.file)
    const { files, text } = await unzip((await exportMember(services, ben.id)).zip)
    expect(text('narrations/missing.txt')).toMatch(/the-pier-of-benedikt-\w+-female/)
    expect(Object.keys(files)).toContain('data/users.json')
    const staged = await storage.receive(
      (async function* () {
        yield bytes
      })(),
    )
    await storage.commit(staged, 'mp3')
  })

  test.if(process.platform === 'linux')(
    'closes the audio that it reads when its reader cancels',
    async () => {
      // Only a file of several chunks is still open after the first.
      truncateSync(placeIn(join(services.env.dataDir, 'audio'), ana.file), 4 * 1024 * 1024)
      const { zip } = await exportMember(services, ana.id)
      const reader = zip.getReader()
      while (openAudio().length === 0) expect((await reader.read()).done).toBe(false)
      await reader.cancel()
      // The file is closed by the system a moment after the stream was told to.
      await until(() => openAudio().length === 0)
    },
  )

  /** Lists the stored audio that this process has open. */
  function openAudio(): string[] {
    const paths = readdirSync('/proc/self/fd').map((fd) => {
      // The directory that is being listed is closed by now.
      return existsSync(`/proc/self/fd/${fd}`) ? readlinkSync(`/proc/self/fd/${fd}`) : ''
    })
    return paths.filter((path) => path.includes(ana.file.hash))
  }
})

describe('deleted member', () => {
  test('leaves no row in any table, and other members’ rows unchanged', async () => {
    const before = await tablesOf(ben)
    const sids = await db.execute<{ sid: string }>(
      sql`select sid from sessions where user_id = ${ana.id}::uuid`,
    )
    await deleteMember(services, ana.id, null)
    expect(await tablesWith(db, ana.id, ana.email, 'anastasia', ...sids.map(({ sid }) => sid))).toEqual([])
    expect(await tablesOf(ben)).toEqual(before)
    expect(await countOfMember(db, ana.id)).toMatchObject({ items: 0, votes: 0, favorites: 0, started: 0 })
  })

  test('leaves neither audio files nor votes', async () => {
    expect(await storage.find(ana.file)).toBeNull()
    expect(await storage.find(ben.file)).not.toBeNull()
    const [liked] = await db.select().from(stories).where(eq(stories.id, ana.liked))
    expect(liked?.upvotes).toBe(0)
  })

  test('is signed out, cannot sign in, and can register again as a new account', async () => {
    expect(await ana.who.json('/api/auth/user')).toBeNull()
    const json = { email: ana.email, password: memberPassword }
    expect((await ana.who.call('/api/auth/login', { json })).status).toBe(401)
    const { user } = await ana.who.json('/api/auth/register', { json })
    expect(user.id).not.toBe(ana.id)
  })

  test('is anonymous in the audit log, beside the operator who deleted them', async () => {
    const operator = await operatorBrowser(app)
    const { id, email } = ben
    await operator.call(`/api/members/${id}`, { method: 'DELETE', json: { email } })
    const entries = await operator.json('/api/audit')
    const about = entries.filter(({ subjectType }: { subjectType: string }) => subjectType === 'member')
    expect(about[0]).toMatchObject({
      actor: 'Ada',
      action: 'delete',
      subjectId: null,
      before: null,
      after: null,
    })
    expect(JSON.stringify(entries)).not.toContain(id)
    expect(await tablesWith(db, id, email, 'benedikt')).toEqual([])
  })
})

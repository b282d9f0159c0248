import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync, type Zippable, zipSync } from 'fflate'
import type { Sql } from 'postgres'
import { newId } from '#db/columns'
import { connect } from '#db/connect'
import { openDatabase } from '#db/db'
import { shortageOf } from '#db/failures'
import { migrateWithin, migrationStatus } from '#db/migrate'
import { listMigrations } from '#db/migration-files'
import { emptyDatabaseUrl, testDatabaseUrl } from '#db/testing'
import { lockTable } from '#db/testing-lock'
import { openProxy } from '#db/testing-proxy'
import { pruneAnalytics } from '#src/analytics/partitions'
import { seedDemo } from '#src/demo/seed'
import { type Env, readEnv } from '#src/env'
import { applyImport } from '#src/import/apply'
import { decodeRows } from '#src/import/decode-rows'
import { rowOfObject } from '#src/import/rows/read-rows'
import { undoImport } from '#src/import/undo'
import { type BusyMember, busyMember } from '#src/member/testing'
import { loadSecrets } from '#src/security/secrets'
import { createApp } from '#src/server/app'
import { type AudioStorage, folderStorage, s3Storage } from '#src/storage/storage'
import { startTestStore } from '#src/storage/testing-s3'
import { browser, memberPassword, testApp } from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'
import { until } from '#src/testing/until'
import { type BackupOptions, backUp } from './back-up'
import { openArchive } from './open-archive'
import { type RestoreOptions, restore } from './restore'
import { tablesLeftOut } from './rules'
import { stageSecrets } from './secrets'
import { contentOf, replaceRows, rewrite } from './testing'

const dir = mkdtempSync(join(tmpdir(), 'nocturne-backup-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const { app, services } = await testApp()
const { db } = services
/** Created here, outside of any test's timeout. */
const empty = await Promise.all(Array.from({ length: 11 }, () => emptyDatabaseUrl()))
const filled = await testDatabaseUrl()
const pathOf = (name: string) => join(dir, name)
const storageOf = (name: string) => folderStorage(pathOf(name))
function nextEmpty(): string {
  const url = empty.pop()
  if (!url) throw new Error('One empty database too few was asked for.')
  return url
}
/** An environment without configured secrets. */
const envOf = (name: string) => readEnv({ DATA_DIR: pathOf(name) })
const backUpTo = (path: string, options?: BackupOptions) => backUp({ ...services, by: 'Ada' }, path, options)
const restoreTo = (url: string, path: string, options?: RestoreOptions, storage = storageOf('restored')) =>
  restore({ url, storage, env: envOf('place'), by: 'Ada' }, path, options)

/** Opens a database for one query, since a restore needs to be its only client. */
async function look<T>(url: string, at: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(url, { max: 1 })
  try {
    return await at(sql)
  } finally {
    await sql.end()
  }
}

let ada: BusyMember
let whole: string
beforeAll(async () => {
  await seedDemo(db)
  ada = await busyMember(app, services, 'ada')
  await busyMember(app, services, 'ben', 330)
  await addOddities()
  await addUndone()
  // A partition of an old month, which no migration creates.
  await db.sql`create table analytics_events_2025_03 partition of analytics_events for values from ('2025-03-01') to ('2025-04-01')`
  whole = pathOf('whole.zip')
  await backUpTo(whole)
})

/** Texts that a careless copy would lose or change. */
const oddWords = [
  '',
  '\\N',
  'a\tb\\t\\\\ "quoted", {curly}, NULL',
  'شب بخیر ‏(RTL)',
  '🌙👩‍❤️‍👩 ‍',
  "line\r\nand 'line'\n\n",
]

async function addOddities(): Promise<void> {
  for (const words of oddWords)
    await db.sql`
      insert into audit_log (id, actor, action, subject_type, subject_id, before, after)
      values (${newId()}, ${words}, ${words}, 'odd', null, ${JSON.stringify({ words, more: [null, 1e300, 0.1] })}::text::jsonb, 'null'::jsonb)`
  await db.sql`update stories set tags = ${oddWords} where id = ${ada.itemId}`
  await db.sql`
    insert into audio_files (hash, extension, size_bytes, duration_seconds, created_at)
    values (${'0'.repeat(64)}, 'mp3', 9007199254740991, 'Infinity', '294276-12-31 23:59:59.999999+00')`
}

/** Adds an undone import with one item in the bin, and one that was edited and therefore stays. */
async function addUndone(): Promise<void> {
  const titles = ['The Undone', 'The Kept']
  const rows = await decodeRows(
    db,
    titles.map((title, at) => rowOfObject({ title, content: 'A text.' }, at + 1)),
    'Ada',
  )
  const request = { kind: 'items', fileName: null, rows, audio: [], strict: true, narrate: 'none' } as const
  const { batchId } = await applyImport(db, request, 'Ada')
  await db.sql`update stories set description = 'By hand.' where title = 'The Kept'`
  const { counts } = await undoImport(db, batchId ?? '', 'Ada')
  expect(counts).toMatchObject({ remove: 1, keep: 1 })
}

describe('library restored into an empty database', () => {
  let url: string
  let storage: AudioStorage
  beforeAll(async () => {
    url = nextEmpty()
    storage = storageOf('second')
    await restoreTo(url, whole, {}, storage)
  })

  test('has every row of every table except sign-in secrets and transient data', async () => {
    const [before, after] = [await contentOf(db.sql), await look(url, contentOf)]
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort())
    for (const name of tablesLeftOut) expect(after[name]?.rows).toBe(0)
    for (const name of tablesLeftOut) {
      delete before[name]
      delete after[name]
    }
    // Backup and restore are each recorded in the audit log of their own database.
    for (const content of [before, after]) delete content.audit_log
    expect(after).toEqual(before)
    expect(after.stories?.rows).toBeGreaterThan(10)
    expect(Object.values(after).filter(({ rows }) => rows > 0).length).toBeGreaterThan(25)
  })

  test('can also be restored into an already migrated database', async () => {
    await restoreTo(await testDatabaseUrl(), whole, {}, storageOf('migrated'))
  })

  test('keeps the audit log and adds who made the backup and who restored it', async () => {
    const auditOf = (from: Sql) =>
      from`select to_jsonb(audit_log)::text as told from audit_log where action not in ('backup', 'restore') order by id`
    await look(url, async (sql) => {
      expect([...(await auditOf(sql))]).toEqual([...(await auditOf(db.sql))])
      expect(await sql`select actor from audit_log where action in ('backup', 'restore')`).toMatchObject([
        { actor: 'Ada' },
      ])
    })
    expect(await db.sql`select actor from audit_log where action = 'backup' limit 1`).toMatchObject([
      { actor: 'Ada' },
    ])
  })

  test('has every audio file unchanged, and lists those lost before the backup', async () => {
    const stored = (await Array.fromAsync(services.storage.list())).map(({ hash }) => hash).sort()
    expect(stored).toHaveLength(2)
    expect((await Array.fromAsync(storage.list())).map(({ hash }) => hash).sort()).toEqual(stored)
    for (const hash of stored) {
      const bytes = await new Response(await storage.read({ hash, extension: 'mp3' })).bytes()
      expect(new Bun.CryptoHasher('sha256').update(bytes).digest('hex')).toBe(hash)
    }
    const again = await restoreTo(url, whole, { force: true }, storage)
    expect(again.missingAudio.map(({ hash }) => hash)).toEqual(['0'.repeat(64)])
  })

  test('has the columns that triggers derive, which the backup omits', async () => {
    const derived = (from: Sql) =>
      from`select id, array(select unnest(words) order by 1) as words, minutes from stories order by id`
    const [before, after] = [await derived(db.sql), await look(url, derived)]
    expect([...after]).toEqual([...before])
    expect(after.every(({ words }) => words.length > 1)).toBe(true)
  })

  test('keeps its vote totals, and still updates them', async () => {
    await look(url, async (sql) => {
      const sums = (from: Sql) =>
        from`select s.id, upvotes, downvotes, t.ratings from stories s left join item_totals t on story_id = s.id order by 1`
      expect([...(await sums(sql))]).toEqual([...(await sums(db.sql))])
      await sql`update votes set vote_type = 'down' where story_id = ${ada.liked}`
      expect((await sums(sql)).find(({ id }) => id === ada.liked)).toMatchObject({ upvotes: 0, downvotes: 1 })
    })
  })

  test('accepts the old password but not the old session cookie, and plays audio', async () => {
    const restored = openDatabase(url, { max: 3 })
    try {
      const second = createApp({ ...services, db: restored, storage })
      const stale = browser(second)
      for (const [name, value] of ada.who.jar) stale.jar.set(name, value)
      expect((await stale.call('/api/user/settings')).status).toBe(401)

      const who = browser(second)
      const signedIn = await who.call('/api/auth/login', {
        json: { email: ada.email, password: memberPassword },
      })
      expect(signedIn.status).toBe(200)
      const [item] = await restored.sql`select audio_hash from narrations where story_id = ${ada.itemId}`
      expect(item?.audio_hash).toBe(ada.file.hash)
      const part = await who.call(`/api/premium-audio/${ada.itemId}/female`, {
        headers: { range: 'bytes=0-9' },
      })
      expect([part.status, (await part.bytes()).byteLength]).toEqual([206, 10])
    } finally {
      await restored.close()
    }
  })
})

test('a backup is consistent while votes are being written', async () => {
  const state = { isOver: false }
  const writing = (async () => {
    const [member] = await db.sql`select id from users limit 1`
    for (let at = 0; !state.isOver; at += 1)
      await db.sql`
        insert into votes (id, user_id, story_id, vote_type) values (${newId()}, ${member?.id}, ${ada.itemId}, ${at % 2 ? 'up' : 'down'})
        on conflict (user_id, story_id) do update set vote_type = excluded.vote_type`
  })()
  const path = pathOf('busy.zip')
  await backUpTo(path).finally(() => {
    state.isOver = true
  })
  await writing
  const url = nextEmpty()
  await restoreTo(url, path)
  await look(url, async (sql) => {
    const [wrong] = await sql`
      select count(*)::int as items from stories s
      where upvotes <> (select count(*) from votes where story_id = s.id and vote_type = 'up')
        or downvotes <> (select count(*) from votes where story_id = s.id and vote_type = 'down')`
    expect(wrong?.items).toBe(0)
  })
})

test('a month whose retention ends during the backup is in it, and is dropped afterwards', async () => {
  const source = openDatabase(await testDatabaseUrl(), { max: 4 })
  const month = 'analytics_events_2024_01'
  await source.sql.unsafe(
    `create table ${month} partition of analytics_events for values from ('2024-01-01') to ('2024-02-01')`,
  )
  await source.sql`
    insert into analytics_events (id, timestamp, anon_id, event_type) values (${newId()}, '2024-01-15', 'x', 'page_view')`
  // The first of the tables: the backup has listed all, and has read none.
  const release = await lockTable(source, 'analytics_arrivals')
  const backup = backUp({ ...services, db: source, by: 'Ada' }, pathOf('pruned.zip'))
  const listWaiting = () => source.sql`
    select from pg_locks where not granted and relation = 'analytics_arrivals'::regclass
      and database = (select oid from pg_database where datname = current_database())`
  await until(async () => (await listWaiting()).length > 0)
  const pruned = await pruneAnalytics(source).catch((error: unknown) => error)
  await release()
  const { manifest } = await backup
  expect(manifest.tables.find(({ name }) => name === month)?.rows).toBe(1)
  expect(shortageOf(pruned)).toBe('contention')
  expect(await pruneAnalytics(source)).toEqual({ droppedPartitions: [month] })
  await source.close()
})

describe('abort after the work is done', () => {
  const changesOf = (url: string, by: string) =>
    look(url, async (sql) => [...(await sql`select action from audit_log where actor = ${by}`)])

  test('keeps a finished backup and its audit record', async () => {
    const controller = new AbortController()
    const proxy = await openProxy(
      filled,
      (client, data) => void client.write(data),
      (data) => data.includes('insert into "audit_log"') && controller.abort(new Error('Ctrl-C.')),
    )
    const own = openDatabase(proxy.url, { max: 1 })
    const { sizeBytes } = await backUp({ ...services, db: own, by: 'Late' }, pathOf('late.zip'), {
      stop: controller.signal,
    })
    await own.close()
    proxy.close()
    expect([controller.signal.aborted, (await stat(pathOf('late.zip'))).size]).toEqual([true, sizeBytes])
    expect(await changesOf(filled, 'Late')).toEqual([{ action: 'backup' }])
  })

  test('keeps a restore that is committing, with its secrets', async () => {
    const path = pathOf('committed.zip')
    await backUpTo(path, { withSecrets: true, withoutAudio: true })
    const controller = new AbortController()
    const url = nextEmpty()
    const proxy = await openProxy(url, (client, data) => {
      if (data.includes('COMMIT\0')) controller.abort(new Error('Ctrl-C.'))
      client.write(data)
    })
    const report = await restore(
      { url: proxy.url, storage: storageOf('restored'), env: envOf('committed'), by: 'Late' },
      path,
      { stop: controller.signal },
    )
    proxy.close()
    expect(controller.signal.aborted).toBe(true)
    expect(report).toMatchObject({ opensSealed: true, secrets: { toSet: [] } })
    expect(await changesOf(url, 'Late')).toEqual([{ action: 'restore' }])
  })
})

test('a running job is queued again after a restore', async () => {
  const [job] = await db.sql`
    insert into jobs (id, kind, dedupe_key, payload, state, attempts, lease_id, leased_until)
    values (${newId()}, 'narrate', 'running', '{}', 'running', 1, gen_random_uuid(), now()) returning id`
  const url = nextEmpty()
  await backUpTo(pathOf('jobs.zip'))
  await restoreTo(url, pathOf('jobs.zip'))
  const [again] = await look(
    url,
    (sql) => sql`select state, attempts, lease_id from jobs where id = ${job?.id}`,
  )
  expect(again).toEqual({ state: 'queued', attempts: 0, lease_id: null })
})

test.each([['0004_members_creations'], ['0028_number_of_an_episode']])(
  'a backup of schema %s is restored and then migrated',
  async (name) => {
    const [old, url] = [nextEmpty(), nextEmpty()]
    const path = pathOf(`${name}.zip`)
    await look(old, async (sql) => {
      const until = listMigrations().find((each) => each.name === name)?.madeAtMs ?? 0
      await sql.begin((tx) => migrateWithin(tx, { until }))
      await sql`insert into users (id, email) values (${newId()}, 'eve@example.com')`
      await sql`insert into stories (id, slug, title, title_key, duration) values (${newId()}, 'tea', 'Tea', 'tea', 7)`
    })
    const source = openDatabase(old, { max: 1 })
    await backUp({ ...services, db: source, by: 'Ada' }, path).finally(() => source.close())
    const { manifest } = await restoreTo(url, path)
    expect(manifest.migration.name).toBe(name)
    expect((await migrationStatus(url)).pending).toEqual([])
    expect(await look(url, (sql) => sql`select email from users`)).toMatchObject([
      { email: 'eve@example.com' },
    ])
    const [item] = await look(url, (sql) => sql`select words, minutes from stories`)
    expect(item).toEqual({ words: ['tea'], minutes: 7 })
  },
)

describe('backup file', () => {
  test('is readable only by its owner, and is overwritten only with force', async () => {
    expect((await stat(whole)).mode & 0o777).toBe(0o600)
    expect(await rejectionOf(backUpTo(whole))).toMatchObject({ code: 'already_exists' })
    await Bun.write(pathOf('there.zip'), 'something')
    await backUpTo(pathOf('there.zip'), { force: true })
    expect((await stat(pathOf('there.zip'))).size).toBeGreaterThan(10_000)
  })

  test('never replaces a folder or a device, even with force', async () => {
    const folder = pathOf('a-folder')
    await mkdir(folder)
    const pipe = pathOf('a-pipe')
    await Bun.$`mkfifo ${pipe}`
    for (const path of [folder, pipe])
      for (const force of [false, true])
        expect(await rejectionOf(backUpTo(path, { force }))).toMatchObject({
          code: 'invalid',
          message: `${path} is a folder or a device, not a file. Name a file, such as library.zip.`,
        })
    expect((await stat(pipe)).isFIFO()).toBe(true)
  })

  test('is removed when the backup fails', async () => {
    const failing = { ...services.storage, read: () => Promise.reject(new Error('The store is away.')) }
    const path = pathOf('failed.zip')
    const failed = backUp({ ...services, storage: failing, by: 'Ada' }, path)
    expect(await failed.catch((error) => error.message)).toBe('The store is away.')
    expect((await readdir(dir)).filter((name) => name.startsWith('failed'))).toEqual([])
    expect(await rejectionOf(backUpTo(pathOf('nowhere/x.zip')))).toMatchObject({ code: 'invalid' })
  })

  test('reports the missing audio on restore when made without audio', async () => {
    const url = nextEmpty()
    await backUpTo(pathOf('silent.zip'), { withoutAudio: true })
    const { missingAudio } = await restoreTo(url, pathOf('silent.zip'), {}, storageOf('silent'))
    expect(missingAudio.map(({ hash }) => hash)).toContain(ada.file.hash)
    // The storage still has the audio, so only files lost before the backup are missing.
    const restored = await restoreTo(url, pathOf('silent.zip'), { force: true }, services.storage)
    expect(restored.missingAudio.map(({ hash }) => hash)).toEqual(['0'.repeat(64)])
  })
})

describe('secrets in a backup', () => {
  const restoreAt = (name: string, env: Partial<Env> = {}) =>
    restore(
      { url: filled, storage: storageOf('secrets'), env: { ...envOf(name), ...env }, by: 'Ada' },
      pathOf('secrets.zip'),
      { force: true },
    )
  const secretAt = (name: string, file: string) => Bun.file(join(pathOf(name), file)).text()

  test('are left out by default, and a restore elsewhere reports that it cannot decrypt', async () => {
    expect(Object.keys(unzipSync(await Bun.file(whole).bytes()))).not.toContain('secrets.json')
    await backUpTo(pathOf('secrets.zip'))
    expect(await restoreAt('none')).toMatchObject({ opensSealed: false, secrets: { written: [], toSet: [] } })
    const { encryption } = services.secrets
    expect(await restoreAt('known', { encryptionKey: encryption })).toMatchObject({ opensSealed: true })
  })

  test('are restored when included, and the previous ones are kept beside them', async () => {
    await backUpTo(pathOf('secrets.zip'), { force: true, withSecrets: true })
    const { encryption, session, push } = services.secrets
    const before = loadSecrets(envOf('other'))
    const report = await restoreAt('other')
    expect(report).toMatchObject({
      opensSealed: true,
      secrets: { written: ['session-secret', 'encryption-key', 'push-key'], toSet: [] },
    })
    expect(loadSecrets(envOf('other'))).toMatchObject({ encryption, session, push })
    expect(await secretAt('other', 'encryption-key.before-restore')).toBe(before.encryption)
    expect((await stat(join(pathOf('other'), 'encryption-key'))).mode & 0o777).toBe(0o600)
    expect((await restoreAt('other')).secrets.written).toEqual([])
  })

  test('that one restore after the other replaces are all retained', async () => {
    const before = loadSecrets(envOf('twice'))
    const [first, second] = ['f'.repeat(43), 'g'.repeat(43)]
    for (const encryption of [first, second, second]) {
      const secrets = { ...services.secrets, encryption }
      const path = pathOf('sealed.zip')
      await backUp({ ...services, secrets, by: 'Ada' }, path, {
        ...{ force: true, withSecrets: true, withoutAudio: true },
      })
      const archive = await openArchive(path)
      const { place } = await stageSecrets(envOf('twice'), archive)
      place()
      archive.close()
    }
    expect(await secretAt('twice', 'encryption-key')).toBe(second)
    expect(await secretAt('twice', 'encryption-key.before-restore')).toBe(before.encryption)
    expect(await secretAt('twice', 'encryption-key.before-restore-2')).toBe(first)
    expect((await stat(join(pathOf('twice'), 'encryption-key.before-restore-2'))).mode & 0o777).toBe(0o600)
    expect(await readdir(pathOf('twice'))).not.toContain('encryption-key.before-restore-3')
  })

  test('that cannot be written leave the present ones and the library in their place', async () => {
    const before = loadSecrets(envOf('unwritable'))
    const library = await look(filled, contentOf)
    await mkdir(join(pathOf('unwritable'), 'encryption-key.new'))
    await rejectionOf(restoreAt('unwritable'))
    expect(await look(filled, contentOf)).toEqual(library)
    expect(loadSecrets(envOf('unwritable'))).toEqual(before)
    expect(await readdir(pathOf('unwritable'))).not.toContain('session-secret.new')
  })

  test('are named but not revealed when the environment sets them', async () => {
    const report = await restoreAt('set', { encryptionKey: 'x'.repeat(40) })
    expect(report).toMatchObject({ opensSealed: false, secrets: { toSet: ['ENCRYPTION_KEY'] } })
    expect(JSON.stringify(report)).not.toContain(services.secrets.encryption)
  })
})

test('audio moves from a folder to S3, in place of other bytes there, and back through a backup', async () => {
  const store = startTestStore()
  try {
    const url = nextEmpty()
    const bucket = s3Storage(store.settings, pathOf('s3'))
    await restoreTo(url, whole, {}, bucket)
    const stored = (await Array.fromAsync(bucket.list())).map(({ hash }) => hash)
    expect(stored).toContain(ada.file.hash)
    for (const object of store.objects.values()) object.bytes = new Uint8Array(object.bytes.byteLength)
    await restoreTo(url, whole, { force: true }, bucket)
    const path = pathOf('from-s3.zip')
    const { manifest } = await backUp({ ...services, storage: bucket, by: 'Ada' }, path)
    const hashes = manifest.audio.filter(({ state }) => state === 'whole').map(({ hash }) => hash)
    expect(hashes.sort()).toEqual(stored.sort())
    const again = storageOf('from-s3')
    await restoreTo(url, path, { force: true }, again)
    expect((await Array.fromAsync(again.list())).map(({ hash }) => hash).sort()).toEqual(stored)
  } finally {
    store.stop()
  }
})

describe('restore that fails and changes nothing', () => {
  let url: string
  let before: Awaited<ReturnType<typeof contentOf>>
  beforeAll(async () => {
    url = filled
    await look(url, (sql) => sql`insert into users (id, email) values (${newId()}, 'old@example.com')`)
    before = await look(url, contentOf)
  })
  const refuse = async (path: string, wanted: object, options: RestoreOptions = { force: true }) => {
    expect(await restoreTo(url, path, options, storageOf('refused')).catch((error) => error)).toMatchObject(
      wanted,
    )
    expect(await look(url, contentOf)).toEqual(before)
  }
  const unreadable = (why: string) => ({ code: 'unreadable', message: expect.stringContaining(why) })

  test('rejects a missing file and one that is not a backup', async () => {
    await refuse(pathOf('none.zip'), { code: 'not_found' })
    await Bun.write(pathOf('other.zip'), 'a letter')
    await refuse(pathOf('other.zip'), unreadable('cut off, or something else'))
    await Bun.write(pathOf('empty.zip'), '')
    await refuse(pathOf('empty.zip'), unreadable('cut off, or something else'))
  })

  test('rejects a truncated backup', async () => {
    const bytes = await Bun.file(whole).bytes()
    for (const share of [0.3, 0.9, 0.999]) {
      await Bun.write(pathOf('cut.zip'), bytes.subarray(0, Math.floor(bytes.byteLength * share)))
      await refuse(pathOf('cut.zip'), unreadable('cut off'))
    }
  })

  test('rejects a backup with one flipped bit', async () => {
    const bytes = await Bun.file(whole).bytes()
    const audio = `audio/${ada.file.hash}.mp3`
    for (const name of ['tables/stories.copy.gz', 'tables/users.copy.gz', audio, 'manifest.json']) {
      const content = unzipSync(bytes, { filter: (file) => file.name === name })[name]
      if (!content) throw new Error(`The backup has no ${name}.`)
      const spoilt = Buffer.from(bytes)
      const at = spoilt.indexOf(content) + Math.floor(content.byteLength / 2)
      spoilt[at] = (spoilt[at] ?? 0) ^ 1
      await Bun.write(pathOf('spoilt.zip'), spoilt)
      await refuse(pathOf('spoilt.zip'), { code: 'unreadable' })
    }
  })

  test('rejects path traversal and entries missing from the manifest', async () => {
    for (const name of ['../evil', '/etc/evil', 'tables/../../evil', 'audio\\evil', 'note.txt']) {
      const path = await rewrite(whole, pathOf('names.zip'), (files) => {
        files[name] = Buffer.from('x')
      })
      await refuse(path, { code: 'unreadable' })
    }
    const path = await rewrite(whole, pathOf('names.zip'), (files) => {
      files['tables/more.copy.gz'] = Bun.gzipSync(Buffer.from(''))
    })
    await refuse(path, unreadable('its manifest does not name'))
  })

  test('rejects symbolic links without opening their targets', async () => {
    const symbolicLink = { os: 3, attrs: 0o120777 << 16, level: 0 } as const
    const files = unzipSync(await Bun.file(whole).bytes())
    for (const name of [`audio/${ada.file.hash}.mp3`, 'tables/stories.copy.gz', 'manifest.json'])
      for (const target of ['/etc/passwd', '../../admin-token']) {
        const link: Zippable = { ...files, [name]: [Buffer.from(target), symbolicLink] }
        await Bun.write(pathOf('links.zip'), zipSync(link, { level: 0 }))
        await refuse(pathOf('links.zip'), { code: 'unreadable' })
      }
  })

  test('rejects a decompression bomb', async () => {
    const path = await rewrite(whole, pathOf('bomb.zip'), (files) => {
      files['tables/stories.copy.gz'] = Bun.gzipSync(new Uint8Array(64 * 1024 * 1024))
    })
    await refuse(path, unreadable('table stories is not what was written'))
  })

  test('rejects a newer format, a newer schema and an invalid manifest', async () => {
    const format = await rewrite(whole, pathOf('newer.zip'), (_, manifest) => {
      Object.assign(manifest, { format: 2, tables: 'elsewhere' })
    })
    await refuse(format, unreadable('Update Nocturne'))
    const migration = await rewrite(whole, pathOf('newer.zip'), (_, manifest) => {
      manifest.migration = { name: '0999_of_tomorrow', madeAtMs: Date.now() * 2 }
    })
    await refuse(migration, unreadable('0999_of_tomorrow'))
    const bound = await rewrite(whole, pathOf('newer.zip'), (_, manifest) => {
      for (const table of manifest.tables)
        if (table.partition) table.partition.bound = 'DEFAULT; drop table users'
    })
    await refuse(bound, unreadable('its manifest is wrong'))
  })

  test('refuses to replace an existing library without force', async () => {
    await refuse(whole, { code: 'conflict', message: expect.stringContaining('--force') }, {})
  })

  test('refuses a database that a server is using', async () => {
    const server = openDatabase(url, { max: 1, applicationName: 'nocturne' })
    await server.sql.listen('library_changed', () => {})
    await refuse(whole, { code: 'conflict', message: expect.stringContaining('in use (nocturne)') })
    await server.close()
  })

  test('refuses a database with tables of another program', async () => {
    const shared = nextEmpty()
    await look(shared, (sql) => sql`create table wines (name text)`)
    expect(await rejectionOf(restoreTo(shared, whole, { force: true }))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('wines'),
    })
    const tables = await look(
      shared,
      (sql) => sql`select tablename from pg_tables where schemaname = 'public'`,
    )
    expect([...tables]).toEqual([{ tablename: 'wines' }])
  })

  test('rejects malformed rows and rows that violate a foreign key', async () => {
    const cut = await rewrite(whole, pathOf('rows.zip'), (files, manifest) =>
      replaceRows(files, manifest, 'votes', 'half a row\n'),
    )
    await refuse(cut, { code: '22P02' })
    // Foreign keys are checked after all rows are inserted.
    const alone = await rewrite(whole, pathOf('rows.zip'), (files, manifest) => {
      const columns = manifest.tables.find(({ name }) => name === 'favorites')?.columns ?? []
      const cells = columns.map((name) => (name.endsWith('id') ? newId() : name.endsWith('at') ? 'now' : 'x'))
      replaceRows(files, manifest, 'favorites', `${cells.join('\t')}\n`)
    })
    await refuse(alone, { code: '23503' })
  })

  test('rolls back on an error half-way', async () => {
    for (const last of ['tables', 'comparing']) {
      const stop = (step: string, done: number) => {
        if (step === last && done === 20) throw new Error('The power went.')
      }
      await refuse(whole, { message: 'The power went.' }, { force: true, onProgress: stop })
    }
  })

  test('rolls back when aborted while checking, copying or comparing', async () => {
    for (const last of ['checking', 'tables', 'comparing']) {
      const controller = new AbortController()
      const onProgress = (step: string, done: number) => {
        if (step === last && done === 20) controller.abort(new Error('Ctrl-C.'))
      }
      const stop = controller.signal
      await refuse(whole, { message: expect.any(String) }, { force: true, onProgress, stop })
    }
  })
})

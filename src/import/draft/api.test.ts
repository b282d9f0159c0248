import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, ne, sql } from 'drizzle-orm'
import { auditLog, importDrafts, imports, jobs, narrations, stories } from '#db/schema'
import { sweepAudio } from '#src/audio-file/sweep'
import { cancelJob } from '#src/job/cancel-retry'
import { takeJob } from '#src/job/lease'
import { toneMp3, toneWav } from '#src/narration/testing'
import { tidyUp } from '#src/server/housekeeping'
import { placeIn } from '#src/storage/audio-folder'
import { browser, memberBrowser, operatorBrowser, operatorToken, testApp } from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'
import { importHandler, importKind } from './apply'
import type { ImportDraft } from './schema'
import { beginImport, sheetFile, sheetRow } from './testing'

const { app, services } = await testApp()
const { db } = services
const ada = await operatorBrowser(app)
const jonas = browser(app)
await jonas.call('/api/admin/login', { json: { token: operatorToken, name: 'Jonas' } })
const mara = await memberBrowser(app, 'mara@example.com')
const lamp = await toneMp3(1, 220)
const boat = await toneMp3(1, 330)
const folder = join(services.env.dataDir, 'audio')
const hashOf = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

beforeEach(
  async () =>
    void (await db.execute(
      sql`truncate stories, imports, import_changes, audio_files, audit_log, import_drafts, jobs cascade`,
    )),
)
afterEach(async () => void (await db.delete(jobs)))

const storedFiles = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile()).length
const titles = async () =>
  (
    await db
      .select({ title: stories.title })
      .from(stories)
      .where(ne(stories.status, 'removed'))
      .orderBy(stories.title)
  ).map((each) => each.title)

/** Runs the next import job as the worker does. */
async function work(signal = new AbortController().signal): Promise<{ shares: number[]; outcome: unknown }> {
  const job = await takeJob(db, [importKind])
  if (!job) throw new Error('There is nothing to do.')
  const shares: number[] = []
  const outcome = await importHandler(services)(job, { signal, progress: (share) => shares.push(share) })
  await db.update(jobs).set({ state: 'done', leaseId: null }).where(eq(jobs.id, job.id))
  return { shares, outcome }
}

test('an import draft is accessible only to the operator who began it', async () => {
  const { id, path, sheet } = await beginImport(ada)
  await sheet(sheetFile('a.xlsx', [sheetRow('The Lamp')]))
  const calls = [
    ['GET', '/api/import-drafts'],
    ['POST', '/api/import-drafts', { files: [] }],
    ['GET', path],
    ['GET', `${path}/plan`],
    ['GET', `${path}/failed-rows`],
    ['PUT', `${path}/files`, { files: [] }],
    ['POST', `${path}/apply`, {}],
    ['DELETE', `${path}/files/${id}`],
    ['DELETE', path],
  ] as const
  for (const [method, at, json] of calls) {
    for (const who of [browser(app), mara]) expect((await who.call(at, { method, json })).status).toBe(401)
    if (at !== '/api/import-drafts') expect((await jonas.call(at, { method, json })).status).toBe(404)
  }
  for (const part of ['sheet', 'files']) {
    for (const [who, status] of [
      [browser(app), 401],
      [mara, 401],
      [jonas, 404],
    ] as const) {
      const body = new FormData()
      body.set(part === 'sheet' ? 'excel' : 'file', sheetFile('b.csv', []))
      expect((await who.call(`${path}/${part}`, { method: 'POST', body })).status).toBe(status)
    }
  }
  expect(await jonas.json('/api/import-drafts')).toEqual([])
  expect(await ada.json('/api/import-drafts')).toMatchObject([{ id, state: 'open', fileName: 'a.xlsx' }])
  expect((await ada.call('/api/import-drafts/x')).status).toBe(404)
})

for (const name of ['evening.xlsx', 'evening.xls', 'evening.csv']) {
  test(`${name} with MP3s is previewed, planned, applied and undone`, async () => {
    const draft = await beginImport(ada)
    const sent = await draft.sheet(
      sheetFile(name, [
        sheetRow('The Lamp'),
        sheetRow('The Boat', 'He rowed.', 'male'),
        sheetRow('No Words', ''),
      ]),
    )
    expect(await sent.json()).toMatchObject({
      fileName: name,
      rowCount: 3,
      preview: [
        { row: 2, cells: { Name: 'The Lamp', Categories: 'romantic, man and woman' } },
        { row: 3 },
        { row: 4 },
      ],
    })
    expect(await draft.file(new File([lamp], 'the-lamp.mp3'))).toMatchObject({ state: 'here', problem: null })
    await draft.file(new File([boat], 'moonrise.mp3'))
    const plan = await ada.json(`${draft.path}/plan`)
    expect(plan.counts).toEqual({ new: 2, change: 0, same: 0, held: 0, problem: 1, empty: 0 })
    expect(plan.unmatchedAudio).toEqual(['moonrise.mp3'])
    expect(plan.rows).toMatchObject([
      { verdict: 'new', audio: [{ voice: 'female', fileName: 'the-lamp.mp3', isNew: true }], minutes: 14 },
      { verdict: 'new', voice: 'male', audio: [] },
      { verdict: 'problem', problems: [{ field: 'content' }] },
    ])
    expect(await titles()).toEqual([])

    expect((await draft.apply()).status).toBe(200)
    expect((await draft.look()).state).toBe('running')
    const { shares } = await work()
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    expect(shares.at(-1)).toBe(1)
    const done = await draft.look()
    expect(done).toMatchObject({
      state: 'applied',
      outcome: { created: 2, changed: 0, failed: 1, matchedAudio: 1, unmatchedAudio: ['moonrise.mp3'] },
    })
    expect(await titles()).toEqual(['The Boat', 'The Lamp'])
    expect(await db.$count(narrations)).toBe(1)
    expect((await draft.apply()).status).toBe(409)

    const undo = `/api/imports/${done.outcome?.batchId}/undo`
    expect(await ada.json(undo, { method: 'POST' })).toMatchObject({ removed: 2 })
    expect((await draft.look()).outcome?.isUndone).toBe(true)
    expect(await titles()).toEqual([])
    const audited = await db.select({ actor: auditLog.actor, action: auditLog.action }).from(auditLog)
    expect(audited).toEqual([
      { actor: 'Ada', action: 'import' },
      { actor: 'Ada', action: 'undo' },
    ])
  })
}

describe('resuming an upload', () => {
  const named = (fileName: string, bytes: Uint8Array) => ({
    fileName,
    sizeBytes: bytes.length,
    hash: hashOf(bytes),
  })

  test('keeps sent files after a lost connection, and waits for missing ones until they are left out', async () => {
    const draft = await beginImport(ada)
    await draft.sheet(sheetFile('a.xlsx', [sheetRow('The Lamp')]))
    const both = [named('the-lamp.mp3', lamp), named('the-boat.mp3', boat)]
    await draft.announce(both)
    await draft.file(new File([lamp], 'the-lamp.mp3'))
    expect((await draft.announce(both)).files).toMatchObject([
      { fileName: 'the-boat.mp3', state: 'waiting' },
      { fileName: 'the-lamp.mp3', state: 'here' },
    ])
    const refused = await draft.apply()
    expect(refused.status).toBe(409)
    expect((await refused.json()).message).toBe(
      '1 file has not been sent: the-boat.mp3. Send it, or leave it out.',
    )
    expect((await draft.announce([])).files).toMatchObject([{ fileName: 'the-lamp.mp3', state: 'here' }])
    expect((await draft.apply()).status).toBe(200)
  })

  test('skips a file whose hash and extension the library already has', async () => {
    const first = await beginImport(ada)
    await first.sheet(sheetFile('a.xlsx', [sheetRow('The Lamp')]))
    await first.file(new File([lamp], 'the-lamp.mp3'))
    await first.apply()
    await work()
    const again = await beginImport(ada)
    await again.sheet(sheetFile('a.xlsx', [sheetRow('The Lamp')]))
    const { files } = await again.announce([named('the-lamp.mp3', lamp), named('the-lamp.wav', lamp)])
    expect(files).toMatchObject([
      { fileName: 'the-lamp.mp3', state: 'here' },
      { fileName: 'the-lamp.wav', state: 'waiting' },
    ])
    await again.announce([])
    expect((await ada.json(`${again.path}/plan`)).counts).toMatchObject({ new: 0, same: 1 })
    await again.apply()
    await work()
    expect((await again.look()).outcome).toMatchObject({ created: 0, same: 1, batchId: null })
    expect(await db.$count(imports)).toBe(1)
  })

  test('treats another file under the same name as missing', async () => {
    const draft = await beginImport(ada)
    await draft.file(new File([lamp], 'the-lamp.mp3'))
    expect((await draft.announce([named('the-lamp.mp3', boat)])).files).toMatchObject([{ state: 'waiting' }])
  })

  test('does not reveal that another operator’s audio is stored', async () => {
    const draft = await beginImport(ada)
    await draft.file(new File([lamp], 'the-lamp.mp3'))
    const other = await beginImport(jonas)
    expect((await other.announce([named('the-lamp.mp3', lamp)])).files).toMatchObject([{ state: 'waiting' }])
  })
})

test('a file that is not audio is rejected with the fix, never stored, and can be removed', async () => {
  const before = await storedFiles()
  const draft = await beginImport(ada)
  const refused = await draft.file(new File(['These are words.'], 'moon.mp3'))
  expect(refused).toMatchObject({ state: 'refused' })
  expect(refused.problem).toContain('moon.mp3')
  expect(await storedFiles()).toBe(before)
  expect((await ada.call(`${draft.path}/files/${refused.id}`, { method: 'DELETE' })).status).toBe(200)
  expect((await ada.call(`${draft.path}/files/${refused.id}`, { method: 'DELETE' })).status).toBe(404)
  expect((await draft.look()).files).toEqual([])
})

test('audio that is cut off warns beside its file and in the plan, also when known by its hash', async () => {
  const cut = new File([toneWav(10).subarray(0, 617_444)], 'the-lamp.wav')
  const warning = 'It is cut off: 3 s of 0:10 are missing at the end. Send the whole file, if there is one.'
  const draft = await beginImport(ada)
  await draft.sheet(sheetFile('a.xlsx', [sheetRow('The Lamp')]))
  expect(await draft.file(cut)).toMatchObject({ state: 'here', problem: null, warnings: [warning] })
  const again = await beginImport(ada)
  const known = { fileName: cut.name, sizeBytes: cut.size, hash: hashOf(await cut.bytes()) }
  expect((await again.announce([known])).files).toMatchObject([{ state: 'here', warnings: [warning] }])
  expect((await ada.json(`${draft.path}/plan`)).rows).toMatchObject([
    { verdict: 'new', warnings: [`the-lamp.wav: ${warning}`] },
  ])
  await draft.apply()
  await work()
  expect((await draft.look()).outcome?.warnings).toEqual([`Row 2: the-lamp.wav: ${warning}`])
})

test('sheets and columns can be chosen after the upload, and apply to a corrected sheet too', async () => {
  const draft = await beginImport(ada)
  const sheet = async (...rows: string[][]): Promise<ImportDraft> =>
    (await draft.sheet(sheetFile('own.csv', rows, ['Titel', 'Geschichte']))).json()
  const choose = (json: object) => ada.call(`${draft.path}/sheet`, { method: 'PUT', json })
  expect((await choose({})).status).toBe(422)
  const sent = await sheet(['The Lamp', 'She lit it.'])
  expect(sent).toMatchObject({ rowCount: 0, preview: [], fileName: 'own.csv' })
  expect(sent.sheetProblem).toStartWith(
    'No column of this file is known: "Titel", "Geschichte". "Titel" may be Name.',
  )
  expect((await ada.call(`${draft.path}/plan`)).status).toBe(422)

  // A draft with an undecided column can be read, and the column decided.
  expect((await choose({ columns: { B: 'Text' } })).status).toBe(200)
  expect(await draft.look()).toMatchObject({
    preview: [],
    sheetProblem: expect.stringContaining('Did you mean Name?'),
  })
  const refused = await choose({ columns: { Titel: 'Nome' } })
  expect([refused.status, (await refused.json()).message]).toEqual([
    422,
    expect.stringContaining('“Nome” is not a known column.'),
  ])
  expect(await (await choose({ columns: { Titel: 'Name', B: 'Text' } })).json()).toMatchObject({
    sheetProblem: null,
    rowCount: 1,
    preview: [{ row: 2, cells: { Name: 'The Lamp', Text: 'She lit it.' } }],
    notes: [],
  })
  expect(await sheet(['The Lamp', 'She lit it.'], ['The Boat', ''])).toMatchObject({ rowCount: 2 })
  const { rows } = await ada.json(`${draft.path}/plan`)
  expect(rows).toMatchObject([
    { row: 2, verdict: 'new' },
    { row: 3, verdict: 'problem', problems: [{ field: 'content', column: 'B “Geschichte”' }] },
  ])
})

test('the one-step import accepts the same choices and reports what was left out', async () => {
  const send = async (query: object) => {
    const body = new FormData()
    body.set('excel', sheetFile('own.csv', [['The Lamp', '']], ['Titel', 'Text', 'Mood']))
    const search = new URLSearchParams({ dryRun: 'true', ...query })
    return ada.call(`/api/premium-content/excel-import?${search}`, { method: 'POST', body })
  }
  const unsaid = await send({})
  expect(unsaid.status).toBe(422)
  expect((await unsaid.json()).message).toContain('Did you mean Name?')
  expect(await (await send({ choices: '{"columns":{"Titel":""}}' })).json()).toMatchObject({
    sheets: [{ isChosen: true, columns: [{ key: 'A', readAs: null, suggestion: 'Name' }, {}, {}] }],
    notes: [
      'Column C “Mood” is unknown and left out.',
      'No column is Name: new items are called “Untitled”.',
    ],
  })
  const chosen = await (await send({ choices: '{"columns":{"Titel":"Name"}}' })).json()
  expect(chosen.notes).toEqual(['Column C “Mood” is unknown and left out.'])
  expect(chosen.problems).toMatchObject([{ row: 2, field: 'content', column: 'B “Text”' }])
  for (const choices of ['{', '{"columns":{"Nothing":"Name"}}', '{"sheets":"all"}'])
    expect((await send({ choices })).status).toBe(422)
})

test('an unreadable sheet is rejected with the fix, and the previous one remains', async () => {
  const draft = await beginImport(ada)
  await draft.sheet(sheetFile('good.xlsx', [sheetRow('The Lamp')]))
  const refused = await draft.sheet(new File(['no sheet'], 'bad.xlsx'))
  expect(refused.status).toBe(422)
  expect((await refused.json()).message).toContain('not a spreadsheet')
  expect(await draft.look()).toMatchObject({ fileName: 'good.xlsx', rowCount: 1 })
  const empty = await (await beginImport(ada)).apply()
  expect(await empty.json()).toMatchObject({
    message: 'Please select an Excel/CSV file',
    fields: [{ path: 'excel', message: 'Missing file' }],
  })
})

test('failed rows can be downloaded, fixed and imported again', async () => {
  const draft = await beginImport(ada)
  await draft.sheet(
    sheetFile('a.xls', [
      sheetRow('The Lamp'),
      sheetRow('-Salt Air-', 'She said "now".\nHe, too.', 'mail'),
      sheetRow('No Words', ''),
    ]),
  )
  await draft.apply()
  await work()
  const csv = await (await ada.call(`${draft.path}/failed-rows`)).text()
  expect(csv).toContain('"Problem","Row"')
  expect(csv).not.toContain('The Lamp')
  const corrected = csv
    .replace('"mail"', '"male"')

    .replace('"",', '"Now it has.",')
  const second = await beginImport(ada)
  await second.sheet(new File([corrected], 'failed-rows.csv'))
  await second.apply()
  await work()
  expect(await titles()).toEqual(['-Salt Air-', 'No Words', 'The Lamp'])
  const [salt] = await db.select().from(stories).where(eq(stories.title, '-Salt Air-'))
  expect(salt).toMatchObject({ content: 'She said "now".\nHe, too.', voice: 'male', duration: 14 })
  expect((await ada.call(`${second.path}/failed-rows`)).status).toBe(404)
})

test('a row that names a file that was not sent is a problem', async () => {
  const draft = await beginImport(ada)
  const columns = ['Name', 'Text', 'Linked Audio Female']
  await draft.sheet(sheetFile('a.xlsx', [['Salt Air', 'She swam.', 'salt-air.mp3']], columns))
  expect((await ada.json(`${draft.path}/plan`)).counts).toMatchObject({ new: 1 })
  await draft.file(new File([lamp], 'the-lamp.mp3'))
  expect((await ada.json(`${draft.path}/plan`)).rows).toMatchObject([
    { verdict: 'problem', problems: [{ message: 'No file named salt-air.mp3. Add it, or clear the cell.' }] },
  ])
})

describe('applying a draft', () => {
  async function ready(rows = [sheetRow('The Lamp'), sheetRow('No Words', '')]) {
    const draft = await beginImport(ada)
    await draft.sheet(sheetFile('a.xlsx', rows))
    await draft.file(new File([lamp], 'the-lamp.mp3'))
    return draft
  }

  test('is idempotent, and the draft cannot change while it runs', async () => {
    const draft = await ready()
    const asked = await Promise.all([draft.apply(), draft.apply(), draft.apply()])
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200])
    const jobs = await Promise.all([...asked, await draft.apply()].map((response) => response.json()))
    expect(new Set(jobs.map(({ jobId }) => jobId)).size).toBe(1)
    expect((await draft.sheet(sheetFile('b.xlsx', []))).status).toBe(409)
    expect((await ada.call(draft.path, { method: 'DELETE' })).status).toBe(409)
  })

  test('returns 412 when the draft was changed since the version in If-Match', async () => {
    const draft = await ready()
    const { updatedAt } = await draft.look()
    await draft.sheet(sheetFile('b.xlsx', [sheetRow('Another')]))
    const late = await draft.apply({}, { 'if-match': `"${updatedAt}"` })
    expect(late.status).toBe(412)
    expect(await draft.look()).toMatchObject({ state: 'open', job: null })
    const tag = (await ada.call(draft.path)).headers.get('etag') ?? ''
    expect((await draft.apply({}, { 'if-match': tag })).status).toBe(200)
  })

  test('sees a new version after every change, even when the clock goes back', async () => {
    const draft = await ready()
    await db.execute(sql`update import_drafts set updated_at = now() + interval '1 hour'`)
    const versions = [(await draft.look()).updatedAt]
    for (const fileName of ['a.mp3', 'b.mp3'])
      versions.push((await draft.announce([{ fileName, sizeBytes: 1 }])).updatedAt)
    expect(versions).toEqual([...new Set(versions)].toSorted())
  })

  test('happens once when the worker dies after the commit', async () => {
    const draft = await ready()
    await draft.apply()
    const job = await takeJob(db, [importKind])
    if (!job) throw new Error('There is nothing to do.')
    const control = { signal: new AbortController().signal, progress: () => {} }
    const first = await importHandler(services)(job, control)
    await db.update(jobs).set({ leasedUntil: sql`now() - interval '1 second'` })
    const again = await takeJob(db, [importKind])
    if (!again) throw new Error('The job was not taken again.')
    expect(await importHandler(services)(again, control)).toEqual(first as object)
    expect(await db.$count(imports)).toBe(1)
    expect(await titles()).toEqual(['The Lamp'])
  })

  test('commits nothing when its job is cancelled', async () => {
    const draft = await ready()
    const { jobId } = await (await draft.apply()).json()
    const job = await takeJob(db, [importKind])
    if (!job) throw new Error('There is nothing to do.')
    await cancelJob(db, jobId, 'Ada')
    const control = { signal: new AbortController().signal, progress: () => {} }
    expect((await rejectionOf(importHandler(services)(job, control))).message).toContain('cancelled')
    expect(await titles()).toEqual([])
    expect(await draft.look()).toMatchObject({ state: 'open', job: { state: 'cancelled' } })
  })

  test('commits nothing when another worker has taken its job', async () => {
    const draft = await ready()
    await draft.apply()
    const lost = await takeJob(db, [importKind])
    if (!lost) throw new Error('There is nothing to do.')
    await db.update(jobs).set({ leasedUntil: sql`now() - interval '1 second'` })
    expect(await takeJob(db, [importKind])).toMatchObject({ id: lost.id })
    const control = { signal: new AbortController().signal, progress: () => {} }
    expect((await rejectionOf(importHandler(services)(lost, control))).message).toContain('another worker')
    expect(await titles()).toEqual([])
    expect(await draft.look()).toMatchObject({ state: 'running' })
  })

  test('shows in the API and on the page that it waits for the paused queue', async () => {
    const pauseQueue = (jobQueue: boolean | null) =>
      ada.call('/api/feature-flags', { method: 'PATCH', json: { jobQueue } })
    const draft = await ready()
    await draft.apply()
    const look = async () => {
      const page = await (await ada.call('/premium-content?tab=excel')).text()
      const words = ['waits for its turn', 'waits: the queue is paused'].filter((each) => page.includes(each))
      return [(await draft.look()).job?.isPaused, words]
    }
    expect(await look()).toEqual([false, ['waits for its turn']])
    await pauseQueue(false)
    expect(await look()).toEqual([true, ['waits: the queue is paused']])
    await pauseQueue(null)
    expect(await look()).toEqual([false, ['waits for its turn']])
  })

  test('imports nothing in strict mode when one row fails, and says why', async () => {
    const draft = await ready()
    await draft.apply({ strict: true })
    expect((await rejectionOf(work())).message).toStartWith('Row 3, column F “Text”: ')
    expect(await titles()).toEqual([])
  })

  test('queues narrations of new items without audio when requested', async () => {
    const draft = await ready([sheetRow('The Lamp'), sheetRow('The Boat')])
    await draft.apply({ narrate: true })
    await work()
    expect(await db.$count(jobs, eq(jobs.kind, 'narrate'))).toBe(1)
  })

  test('fails when audio is gone from the disk, and asks for it again', async () => {
    const draft = await ready()
    await draft.apply()
    await services.storage.remove({ hash: hashOf(lamp), extension: 'mp3' })
    expect((await rejectionOf(work())).message).toContain('1 file has not been sent: the-lamp.mp3')
    await db.update(jobs).set({ state: 'failed' })
    expect((await draft.look()).files).toMatchObject([{ fileName: 'the-lamp.mp3', state: 'waiting' }])
    expect(await titles()).toEqual([])
  })
})

describe('cleaning up drafts', () => {
  const place = placeIn(folder, { hash: hashOf(lamp), extension: 'mp3' })
  const grow = async () => utimes(place, new Date(Date.now() - 7_200_000), new Date(Date.now() - 7_200_000))
  const exists = () => Bun.file(place).exists()

  test('keeps the audio of an open draft', async () => {
    const draft = await beginImport(ada)
    await draft.file(new File([lamp], 'the-lamp.mp3'))
    await grow()
    await sweepAudio(services)
    expect(await exists()).toBe(true)
  })

  test('deletes discarded and week-old drafts, with the audio that only they name', async () => {
    const open = await beginImport(ada)
    const gone = await beginImport(ada)
    for (const draft of [open, gone]) await draft.file(new File([lamp], 'the-lamp.mp3'))
    await ada.call(gone.path, { method: 'DELETE' })
    expect((await ada.call(gone.path)).status).toBe(404)
    await db
      .update(importDrafts)
      .set({ updatedAt: sql`now() - interval '2 hours'` })
      .where(eq(importDrafts.id, gone.id))
    await grow()
    await tidyUp(services)
    expect((await db.select({ id: importDrafts.id }).from(importDrafts)).map(({ id }) => id)).toEqual([
      open.id,
    ])
    expect(await exists()).toBe(true)
    await db.update(importDrafts).set({ updatedAt: sql`now() - interval '8 days'` })
    expect((await ada.call(open.path)).status).toBe(404)
    await tidyUp(services)
    expect(await db.$count(importDrafts)).toBe(0)
    expect(await exists()).toBe(false)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, narrations, stories } from '#db/schema'
import { clearPermissions } from '#src/session/audio-permissions'
import {
  type Browser,
  browser,
  memberBrowser,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'
import { toneMp3, toneWav } from './testing'

const { app, services } = await testApp()
let server: Bun.Server<undefined>
let member: Browser
let operator: Browser
let item: { id: string }
let free: { id: string }
let mp3: Uint8Array<ArrayBuffer>
const folder = () => Array.fromAsync(services.storage.list())

beforeAll(async () => {
  server = Bun.serve({ port: 0, maxRequestBodySize: 2 ** 31, fetch: (request) => app.fetch(request) })
  member = await memberBrowser(app, 'mara@example.com')
  operator = await operatorBrowser(app)
  item = await publishTestItem(services)
  free = await publishTestItem(services, { title: 'A free sample', isFree: true })
  mp3 = await toneMp3(20)
  for (const { id } of [item, free]) expect((await upload(id, { file: mp3 })).status).toBe(200)
})
afterAll(() => server.stop(true))

const path = (id = item.id, voice = 'female') => `/api/premium-audio/${id}/${voice}`
const cookiesOf = ({ jar }: Browser) => ({
  cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
})

type Sent = {
  file?: Uint8Array<ArrayBuffer> | string
  name?: string
  voice?: string
  field?: string
  as?: Browser
}

async function upload(
  id: string,
  { file, name = 'moon.mp3', voice, field = 'audioFile', as = operator }: Sent,
) {
  const form = new FormData()
  if (voice !== undefined) form.set('voice', voice)
  if (file !== undefined) form.set(field, new Blob([file]), name)
  const response = await fetch(new URL(`/api/premium-content/${id}/upload-audio`, server.url), {
    method: 'POST',
    body: form,
    headers: { ...cookiesOf(as), 'sec-fetch-site': 'same-origin' },
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Uses a real connection, since the server itself answers ranges. */
async function hear(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(new URL(path, server.url), { method, headers, redirect: 'manual' })
  return { response, body: new Uint8Array(await response.arrayBuffer()) }
}

describe('access to a narration', () => {
  const expected: [
    who: string,
    what: () => string,
    status: Record<'visitor' | 'member' | 'operator', number>,
  ][] = [
    ['a narration', () => path(), { visitor: 403, member: 200, operator: 200 }],
    ['a free sample', () => path(free.id), { visitor: 200, member: 200, operator: 200 }],
    [
      'a voice without a narration',
      () => path(item.id, 'male'),
      { visitor: 403, member: 404, operator: 404 },
    ],
    [
      'a free sample in a voice without a narration',
      () => path(free.id, 'male'),
      { visitor: 404, member: 404, operator: 404 },
    ],
    ['a voice that there is not', () => path(item.id, 'robot'), { visitor: 404, member: 404, operator: 404 }],
    [
      'an item that there is not',
      () => path(crypto.randomUUID()),
      { visitor: 403, member: 404, operator: 404 },
    ],
    ['what is no id', () => path('x'), { visitor: 403, member: 404, operator: 404 }],
    [
      'a path that climbs',
      () => '/api/premium-audio/..%2f..%2fetc/female',
      { visitor: 404, member: 404, operator: 404 },
    ],
    ['a trailing slash', () => `${path()}/`, { visitor: 404, member: 404, operator: 404 }],
  ]
  for (const [what, where, statuses] of expected) {
    for (const method of ['GET', 'HEAD']) {
      test(`returns the expected status to visitors, members and operators: ${what}, by ${method}`, async () => {
        const actors = { visitor: browser(app), member, operator }
        for (const [actor, status] of Object.entries(statuses)) {
          const as = actors[actor as keyof typeof actors]
          // Twice: the second time the permission is cached.
          for (let time = 0; time < 2; time += 1) {
            const { response, body } = await hear(where(), cookiesOf(as), method)
            expect(`${actor} ${response.status}`).toBe(`${actor} ${status}`)
            if (method === 'HEAD') expect(body).toHaveLength(0)
          }
        }
      })
    }
  }

  test('is refused to a visitor with a request to sign up', async () => {
    const { response, body } = await hear(path())
    expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({
      success: false,
      code: 'sign_up_to_listen',
    })
    expect(response.headers.has('etag')).toBe(false)
  })

  test('is limited to operators when the item is removed or unpublished, even a free one', async () => {
    for (const status of ['removed', 'draft', 'scheduled', 'held'] as const) {
      const hidden = await publishTestItem(services, { title: `Hidden ${status}`, isFree: true })
      await upload(hidden.id, { file: mp3 })
      expect((await hear(path(hidden.id), cookiesOf(member))).response.status).toBe(200)
      await services.db.update(stories).set({ status }).where(eq(stories.id, hidden.id))
      clearPermissions()
      expect((await hear(path(hidden.id))).response.status).toBe(403)
      expect((await hear(path(hidden.id), cookiesOf(member))).response.status).toBe(404)
      expect((await hear(path(hidden.id), cookiesOf(operator))).response.status).toBe(200)
    }
  })

  test('is limited to the maker of a member’s item until it is shared', async () => {
    const other = await memberBrowser(app, 'other@example.com')
    const user = (await member.json('/api/auth/user')) as { id: string }
    const own = await publishTestItem(services, { title: 'Mine' })
    await upload(own.id, { file: mp3 })
    const set = (values: Partial<typeof stories.$inferInsert>) =>
      services.db.update(stories).set(values).where(eq(stories.id, own.id))
    await set({ source: 'user_generated', userId: user.id, isFree: true })
    clearPermissions()
    const statuses = async () => {
      clearPermissions()
      const answers = [cookiesOf(member), cookiesOf(other), {}].map((headers) => hear(path(own.id), headers))
      return (await Promise.all(answers)).map(({ response }) => response.status)
    }
    expect(await statuses()).toEqual([200, 404, 403])
    await set({ isShared: true })
    expect(await statuses()).toEqual([200, 200, 403])
    await set({ status: 'removed' })
    expect(await statuses()).toEqual([404, 404, 403])
  })

  test('ends with signing out', async () => {
    const leaving = await memberBrowser(app, 'leaving@example.com')
    const headers = cookiesOf(leaving)
    expect((await hear(path(), headers)).response.status).toBe(200)
    await leaving.call('/api/auth/logout', { method: 'POST' })
    clearPermissions()
    expect((await hear(path(), headers)).response.status).toBe(403)
  })
})

describe('narration over a real connection', () => {
  const as = () => cookiesOf(member)
  const size = () => mp3.byteLength

  test('gets the same headers for GET and HEAD and is not stored by shared caches', async () => {
    const got = await hear(path(), as())
    const head = await hear(path(), as(), 'HEAD')
    expect(got.body).toEqual(mp3)
    for (const { response } of [got, head]) {
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-length': String(size()),
        'accept-ranges': 'bytes',
        'content-type': 'audio/mpeg',
        'cache-control': 'private, no-cache',
        vary: 'cookie',
        'x-content-type-options': 'nosniff',
      })
    }
    expect(got.response.headers.get('etag')).toBe(head.response.headers.get('etag'))
  })

  const cases: [
    range: string,
    status: number,
    contentRange: (size: number) => string | null,
    bytes: (size: number) => number,
  ][] = [
    ['bytes=0-0', 206, (size) => `bytes 0-0/${size}`, () => 1],
    ['bytes=0-', 206, (size) => `bytes 0-${size - 1}/${size}`, (size) => size],
    ['bytes=1000-1999', 206, (size) => `bytes 1000-1999/${size}`, () => 1_000],
    ['bytes=-500', 206, (size) => `bytes ${size - 500}-${size - 1}/${size}`, () => 500],
    ['bytes=1000-99999999', 206, (size) => `bytes 1000-${size - 1}/${size}`, (size) => size - 1_000],
    ['bytes=-99999999', 206, (size) => `bytes 0-${size - 1}/${size}`, (size) => size],
    ['bytes=99999999-', 416, (size) => `bytes */${size}`, () => 0],
    ['bytes=5-1', 200, () => null, (size) => size],
    ['bytes=x-y', 200, () => null, (size) => size],
    ['lines=1-2', 200, () => null, (size) => size],
  ]
  for (const [range, status, contentRange, bytes] of cases) {
    test(`answers Range: ${range}`, async () => {
      const { response, body } = await hear(path(), { ...as(), range })
      expect(response.status).toBe(status)
      expect(response.headers.get('content-range')).toBe(contentRange(size()))
      expect(body).toHaveLength(bytes(size()))
      expect(response.headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/)
    })
  }

  test('honours If-Range and If-None-Match', async () => {
    const etag = (await hear(path(), as(), 'HEAD')).response.headers.get('etag') ?? ''
    const request = async (headers: Record<string, string>) =>
      (await hear(path(), { ...as(), ...headers })).response.status
    expect(await request({ range: 'bytes=0-9', 'if-range': etag })).toBe(206)
    expect(await request({ range: 'bytes=0-9', 'if-range': '"old"' })).toBe(200)
    expect(await request({ 'if-none-match': etag })).toBe(304)
    expect(await request({ 'if-none-match': etag, range: 'bytes=0-9' })).toBe(304)
    expect(await request({ 'if-none-match': '"old"' })).toBe(200)
  })

  test('returns 404 when the audio file is missing', async () => {
    const lost = await publishTestItem(services, { title: 'Lost' })
    await upload(lost.id, { file: await toneMp3(1, 330) })
    for (const file of await folder()) {
      const [row] = await services.db
        .select({ hash: narrations.audioHash })
        .from(narrations)
        .where(eq(narrations.storyId, lost.id))
      if (file.hash === row?.hash) await services.storage.remove(file)
    }
    expect((await hear(path(lost.id), as())).response.status).toBe(404)
    expect((await hear(path(lost.id), as(), 'HEAD')).response.status).toBe(404)
  })
})

describe('narration upload', () => {
  test('becomes current, retains the earlier one, and is audited', async () => {
    const { id } = await publishTestItem(services, { title: 'Twice' })
    const first = await upload(id, { file: mp3, name: 'C:\\fakepath\\Twice.mp3', voice: 'serena' })
    expect(first).toMatchObject({
      status: 200,
      body: { filename: 'Twice.mp3', audioUrl: path(id), warnings: [] },
    })
    const second = await upload(id, { file: toneWav(7), name: 'twice.wav', voice: 'female' })
    expect(second.status).toBe(200)

    const rows = await services.db
      .select()
      .from(narrations)
      .where(eq(narrations.storyId, id))
      .orderBy(narrations.createdAt)
    expect(
      rows.map(({ isCurrent, narrator, provider, fileName }) => ({
        isCurrent,
        narrator,
        provider,
        fileName,
      })),
    ).toEqual([
      { isCurrent: false, narrator: 'serena', provider: 'upload', fileName: 'Twice.mp3' },
      { isCurrent: true, narrator: null, provider: 'upload', fileName: 'twice.wav' },
    ])
    const [story] = await services.db.select().from(stories).where(eq(stories.id, id))
    expect(story).toMatchObject({ audioDurationSeconds: 7, duration: 15 })
    const audits = await services.db.select().from(auditLog).where(eq(auditLog.subjectId, id))
    expect(audits.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'Ada upload_audio',
      'Ada upload_audio',
    ])
    const heard = await hear(path(id), cookiesOf(member))
    expect(heard.response.headers.get('content-type')).toBe('audio/wav')
  })

  test('stores the same file only once', async () => {
    const { id } = await publishTestItem(services, { title: 'The same' })
    const before = (await folder()).length
    await upload(id, { file: mp3 })
    await upload(id, { file: mp3, name: 'again.mp3' })
    expect(await services.db.select().from(narrations).where(eq(narrations.storyId, id))).toHaveLength(1)
    expect(await folder()).toHaveLength(before)
  })

  test('gives the item the duration of its chosen voice, also after an edit, import or undo', async () => {
    const item = { title: 'Another voice', content: 'She lit the lamp.' }
    const { id } = await publishTestItem(services, item)
    await upload(id, { file: toneWav(3), name: 'a.wav', voice: 'male' })
    await upload(id, { file: toneWav(5), name: 'b.wav', voice: 'female' })
    const length = async () => (await operator.json(`/api/premium-content/${id}`)).audioDurationSeconds
    const edit = (voice: string) =>
      operator.json(`/api/premium-content/${id}`, { method: 'PUT', json: { voice } })
    await edit('male')
    expect(await length()).toBe(3)
    await edit('female')
    expect(await length()).toBe(5)
    await operator.json('/api/premium-content/bulk', { json: { items: [{ ...item, voice: 'male' }] } })
    expect(await length()).toBe(3)
    const [batch] = await operator.json('/api/imports')
    await operator.json(`/api/imports/${batch.id}/undo`, { method: 'POST', json: {} })
    expect(await length()).toBe(5)
  })

  test('in another voice does not change the duration of the item’s own voice', async () => {
    const { id } = await publishTestItem(services, { title: 'Two voices' })
    const length = async () =>
      (await services.db.select().from(stories).where(eq(stories.id, id)))[0]?.audioDurationSeconds
    await upload(id, { file: toneWav(3), name: 'a.wav', voice: 'male' })
    expect(await length()).toBe(3)
    await upload(id, { file: toneWav(5), name: 'b.wav', voice: 'female' })
    expect(await length()).toBe(5)
    await upload(id, { file: toneWav(4), name: 'c.wav', voice: 'male' })
    expect(await length()).toBe(5)
  })

  test('returns 401 to visitors and members and stores nothing', async () => {
    const before = (await folder()).length
    for (const as of [browser(app), member]) {
      expect(await upload(item.id, { file: mp3, as })).toMatchObject({
        status: 401,
        body: { code: 'operator_required' },
      })
    }
    expect(await folder()).toHaveLength(before)
  })

  const refused: [what: string, sent: Sent, status: number, message: string][] = [
    [
      'text named .mp3',
      { file: 'Once upon a time' },
      422,
      'moon.mp3 is not an MP3: its content is plain text. Export it again as MP3, WAV or M4A.',
    ],
    [
      'a program',
      { file: 'MZ\x90\0'.repeat(500), name: 'moon.exe' },
      422,
      'moon.exe is not accepted: MP3, WAV and M4A are. Export it again as one of these.',
    ],
    ['an empty file', { file: '' }, 422, 'moon.mp3 is empty. Choose the file again.'],
    ['no file', { voice: 'female' }, 422, 'Choose an MP3, WAV or M4A file.'],
    ['a file in another field', { file: 'x', field: 'excel' }, 422, 'Send the file as audioFile.'],
  ]
  for (const [what, sent, status, message] of refused) {
    test(`is rejected without leaving a file: ${what}`, async () => {
      const before = (await folder()).length
      expect(await upload(item.id, sent)).toMatchObject({ status, body: { success: false, error: message } })
      expect(await folder()).toHaveLength(before)
      expect(await services.storage.sweepStaged()).toBe(0)
    })
  }

  test('returns 422 for an unknown narrator and 404 for an unknown item', async () => {
    expect((await upload(item.id, { file: mp3, voice: 'robot' })).status).toBe(422)
    expect((await upload(crypto.randomUUID(), { file: mp3 })).status).toBe(404)
    expect((await upload('x', { file: mp3 })).status).toBe(404)
  })
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { audioFiles, auditLog, jobs, narrations, narrationTimings, stories } from '#db/schema'
import {
  type Browser,
  browser,
  memberBrowser,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'
import { toneMp3 } from './testing'

const { app, services } = await testApp()
const { db } = services
let server: Bun.Server<undefined>
let operator: Browser
let item: { id: string }

beforeAll(async () => {
  server = Bun.serve({ port: 0, fetch: (request) => app.fetch(request) })
  operator = await operatorBrowser(app)
  item = await publishTestItem(services)
  await upload('by the sea.mp3', 4)
  await upload('in the studio.mp3', 9)
})
afterAll(() => server.stop(true))

const cookies = () => ({ cookie: [...operator.jar].map(([key, value]) => `${key}=${value}`).join('; ') })

async function upload(name: string, seconds: number, voice = 'female') {
  const form = new FormData()
  form.set('voice', voice)
  form.set('audioFile', new Blob([await toneMp3(seconds)]), name)
  const response = await fetch(new URL(`/api/premium-content/${item.id}/upload-audio`, server.url), {
    method: 'POST',
    body: form,
    headers: { ...cookies(), 'sec-fetch-site': 'same-origin' },
  })
  expect(response.status).toBe(200)
}

type Listed = { id: string; fileName: string; voice: string; isCurrent: boolean; durationSeconds: number }
const list = (): Promise<Listed[]> => operator.json(`/api/premium-content/${item.id}/narrations`)
const current = async () =>
  (await list()).filter(({ isCurrent }) => isCurrent).map(({ fileName }) => fileName)
const audioPath = (id: string, of = item.id) => `/api/premium-content/${of}/narrations/${id}/audio`
const restorePath = (id: string, of = item.id) => `/api/premium-content/${of}/narrations/${id}/restore`

async function named(fileName: string): Promise<Listed> {
  const found = (await list()).find((each) => each.fileName === fileName)
  if (!found) throw new Error(`There is no ${fileName}`)
  return found
}

test('an earlier recording is listed and can be made current again', async () => {
  expect((await list()).map(({ fileName, isCurrent }) => [fileName, isCurrent])).toEqual([
    ['in the studio.mp3', true],
    ['by the sea.mp3', false],
  ])
  const sea = await named('by the sea.mp3')
  await db
    .insert(narrationTimings)
    .values({ narrationId: sea.id, textHash: 'x', source: 'file', sentences: [0, 0], words: [0, 0] })
  const restored = await operator.call(restorePath(sea.id), { method: 'POST', json: {} })
  expect([restored.status, await restored.json()]).toEqual([
    200,
    { success: true, voice: 'female', audioUrl: `/api/premium-audio/${item.id}/female` },
  ])
  expect(await current()).toEqual(['by the sea.mp3'])
  const heard = await fetch(new URL(`/api/premium-audio/${item.id}/female`, server.url), {
    headers: cookies(),
  })
  expect(await heard.bytes()).toEqual(await toneMp3(4))
  const [measured] = await db.select().from(stories).where(eq(stories.id, item.id))
  expect(Math.round(measured?.audioDurationSeconds ?? 0)).toBe(4)
  // Its words are highlighted as before.
  expect(await db.$count(narrationTimings, eq(narrationTimings.narrationId, sea.id))).toBe(1)
  const change = { action: 'restore_audio', subjectType: 'item', subjectId: item.id }
  expect(await db.select().from(auditLog).where(eq(auditLog.action, 'restore_audio'))).toMatchObject([
    { ...change, before: { fileName: 'in the studio.mp3' }, after: { fileName: 'by the sea.mp3' } },
  ])
})

test('restoring twice changes nothing more, and a file uploaded twice is listed once', async () => {
  const sea = await named('by the sea.mp3')
  expect((await operator.call(restorePath(sea.id), { method: 'POST', json: {} })).status).toBe(200)
  expect(await db.$count(auditLog, eq(auditLog.action, 'restore_audio'))).toBe(1)
  await upload('in the studio.mp3', 9)
  expect((await list()).map(({ fileName }) => fileName)).toEqual(['in the studio.mp3', 'by the sea.mp3'])
})

test('an earlier recording can be played whole, by range and in the studio before it is restored', async () => {
  const sea = await named('by the sea.mp3')
  expect(sea.isCurrent).toBe(false)
  const hear = (headers?: Record<string, string>, method = 'GET') =>
    fetch(new URL(audioPath(sea.id), server.url), { method, headers: { ...cookies(), ...headers } })
  const file = await toneMp3(4)
  const whole = await hear()
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
  expect(await whole.bytes()).toEqual(file)
  const range = await hear({ range: 'bytes=100-199' })
  expect([range.status, await range.bytes()]).toEqual([206, file.slice(100, 200)])
  expect((await hear({}, 'HEAD')).headers.get('content-length')).toBe(String(file.length))
  expect(await current()).toEqual(['in the studio.mp3'])
  expect(await (await operator.call(`/studio/${item.id}`)).text()).toContain(`src="${audioPath(sea.id)}"`)
})

test('each voice has its own current recording', async () => {
  await upload('his voice.mp3', 5, 'male')
  const studio = await named('in the studio.mp3')
  await operator.call(restorePath((await named('by the sea.mp3')).id), { method: 'POST', json: {} })
  expect((await current()).toSorted()).toEqual(['by the sea.mp3', 'his voice.mp3'])
  await operator.call(restorePath(studio.id), { method: 'POST', json: {} })
  expect((await current()).toSorted()).toEqual(['his voice.mp3', 'in the studio.mp3'])
})

test('restoring returns 409 while a narration in that voice is being made', async () => {
  const sea = await named('by the sea.mp3')
  const asked: { jobId: string } = await operator.json(`/api/stories/${item.id}/narrate`, {
    method: 'POST',
    json: { voice: 'female' },
  })
  const refused = await operator.call(restorePath(sea.id), { method: 'POST', json: {} })
  expect([refused.status, (await refused.json()).message]).toEqual([
    409,
    'A narration in this voice is being made, and would replace it. Cancel it, or wait for it.',
  ])
  expect(await current()).toContain('in the studio.mp3')
  await db.update(jobs).set({ state: 'cancelled' }).where(eq(jobs.id, asked.jobId))
  expect((await operator.call(restorePath(sea.id), { method: 'POST', json: {} })).status).toBe(200)
})

test('the studio restores a recording without JavaScript and says why one cannot be used', async () => {
  const studio = await named('in the studio.mp3')
  const page = async () => (await operator.call(`/studio/${item.id}`)).text()
  expect(await page()).toContain('in the studio.mp3')
  const form = { method: 'POST', form: { id: studio.id } } as const
  expect((await browser(app).call(`/studio/${item.id}/narration`, form)).status).toBe(401)
  const done = await operator.call(`/studio/${item.id}/narration`, form)
  expect([done.status, done.headers.get('location')]).toEqual([303, `/studio/${item.id}#sound`])
  expect(await current()).toContain('in the studio.mp3')

  await operator.json(`/api/stories/${item.id}/narrate`, { method: 'POST', json: { voice: 'female' } })
  const sea = await named('by the sea.mp3')
  const refused = await operator.call(`/studio/${item.id}/narration`, { ...form, form: { id: sea.id } })
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('A narration in this voice is being made')
})

test('the current recording of a voice is listed despite fifty newer ones in another voice', async () => {
  const { id: storyId } = await publishTestItem(services, { title: 'A Long Winter' })
  const given = [...Array(51).keys()].map((at) => ({
    ...({
      storyId,
      provider: 'upload',
      voice: at === 0 ? 'female' : 'male',
      isCurrent: at === 0 || at === 50,
    } as const),
    ...{ audioHash: String(at).padStart(64, '0'), fileName: `take ${at}.mp3` },
    createdAt: new Date(Date.UTC(2026, 0, 1 + at)),
  }))
  await db
    .insert(audioFiles)
    .values(
      given.map(
        ({ audioHash: hash }) => ({ hash, extension: 'mp3', sizeBytes: 1, durationSeconds: 1 }) as const,
      ),
    )
  await db.insert(narrations).values(given)
  const all: Listed[] = await operator.json(`/api/premium-content/${storyId}/narrations`)
  expect(all.filter(({ isCurrent }) => isCurrent).map(({ voice }) => voice)).toEqual(['male', 'female'])
  expect(all).toHaveLength(50)
  expect(await (await operator.call(`/studio/${storyId}`)).text()).toContain('take 0.mp3')
})

test('listing, playing and restoring are limited to operators and to recordings of the item', async () => {
  const other = await publishTestItem(services, { title: 'Another Evening' })
  const { id } = await named('in the studio.mp3')
  const member = await memberBrowser(app, 'mara@example.com')
  for (const nobody of [browser(app), member]) {
    expect((await nobody.call(`/api/premium-content/${item.id}/narrations`)).status).toBe(401)
    expect((await nobody.call(audioPath(id))).status).toBe(401)
    expect((await nobody.call(restorePath(id), { method: 'POST', json: {} })).status).toBe(401)
  }
  for (const path of [restorePath(id, other.id), restorePath('nope'), restorePath(id, 'nope')])
    expect((await operator.call(path, { method: 'POST', json: {} })).status).toBe(404)
  for (const path of [audioPath(id, other.id), audioPath('nope'), audioPath(id, 'nope')])
    expect((await operator.call(path)).status).toBe(404)
  expect(await operator.json(`/api/premium-content/${other.id}/narrations`)).toEqual([])
  expect((await operator.call('/api/premium-content/nope/narrations')).status).toBe(404)
})

import { afterAll, expect, test } from 'bun:test'
import { walkMp3 } from '#src/audio-format/walk-mp3'
import { withFileWindow } from '#src/storage/file-window'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { narrateWithTone } from '#src/testing/browser'

const on = await testApp({ PREVIEW_SECONDS: '5' })
const off = await testApp()
const server = Bun.serve({ port: 0, fetch: (request) => on.app.fetch(request) })
afterAll(() => server.stop(true))

const item = await publishTestItem(on.services, { title: 'Lantern' })
const draft = await publishTestItem(on.services, { title: 'Draft', status: 'draft' })
const silent = await publishTestItem(on.services, { title: 'Silent' })
const short = await publishTestItem(off.services, { title: 'Lantern' })
for (const { id } of [item, draft]) await narrateWithTone(on.services, id, 20)
await narrateWithTone(off.services, short.id, 20)

const path = ({ id }: { id: string }, voice = 'female') => `/api/premium-audio/${id}/${voice}/preview`
/** Uses a real connection, since the server itself answers ranges. */
const hear = (where: string, init: RequestInit = {}) => fetch(new URL(where, server.url), init)

test('a visitor can hear the first seconds and no more', async () => {
  const response = await hear(path(item))
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('audio/mpeg')
  const file = `${on.services.env.dataDir}/heard.mp3`
  await Bun.write(file, await response.arrayBuffer())
  const walked = await withFileWindow(file, walkMp3)
  expect(walked).toMatchObject({ warnings: [] })
  expect('durationSeconds' in walked && walked.durationSeconds).toBeCloseTo(5, 0)
  expect((await hear(`/api/premium-audio/${item.id}/female`)).status).toBe(403)
})

test('a preview supports HEAD, ranges and revalidation with an ETag of its own', async () => {
  const whole = new Uint8Array(await (await hear(path(item))).arrayBuffer())
  const head = await hear(path(item), { method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe(`${whole.byteLength}`)
  expect(head.headers.get('accept-ranges')).toBe('bytes')
  const part = await hear(path(item), { headers: { range: 'bytes=100-199' } })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes 100-199/${whole.byteLength}`)
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(whole.slice(100, 200))
  const past = await hear(path(item), { headers: { range: `bytes=${whole.byteLength}-` } })
  expect(past.status).toBe(416)
  const etag = head.headers.get('etag') ?? ''
  expect((await hear(path(item), { headers: { 'if-none-match': etag } })).status).toBe(304)
  const member = await memberBrowser(on.app, 'mara@example.com')
  const full = await member.call(`/api/premium-audio/${item.id}/female`)
  expect(full.headers.get('etag')).not.toBe(etag)
})

test('concurrent requests for a new preview get the same audio', async () => {
  const lamp = await publishTestItem(on.services, { title: 'Lamp' })
  await narrateWithTone(on.services, lamp.id, 10)
  const heard = await Promise.all(
    Array.from({ length: 8 }, async () => Bun.hash(await (await hear(path(lamp))).arrayBuffer())),
  )
  expect(new Set(heard).size).toBe(1)
})

test('previews are open to all actors; hidden, silent and unknown items return 404', async () => {
  const actors = {
    visitor: browser(on.app),
    member: await memberBrowser(on.app, 'noor@example.com'),
    operator: await operatorBrowser(on.app),
  }
  for (const [actor, { call }] of Object.entries(actors)) {
    const statuses = []
    for (const where of [item, draft, silent, { id: crypto.randomUUID() }, { id: 'x' }])
      statuses.push((await call(path(where))).status)
    statuses.push((await call(path(item, 'male'))).status, (await call(path(item, 'robot'))).status)
    expect(`${actor} ${statuses}`).toBe(`${actor} ${[200, 404, 404, 404, 404, 404, 404]}`)
  }
})

test('switched-off previews return 403 to visitors and 404 to members', async () => {
  const refused = await browser(off.app).call(path(short))
  expect(refused.status).toBe(403)
  expect(await refused.json()).toMatchObject({ code: 'sign_up_to_listen' })
  expect((await (await memberBrowser(off.app, 'mara@example.com')).call(path(short))).status).toBe(404)
})

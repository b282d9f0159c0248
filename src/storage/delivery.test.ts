import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnv } from '#src/env'
import { attachAudio } from '#src/narration/attach'
import { toneMp3 } from '#src/narration/testing'
import { admitAudio } from '#src/narration/upload/admit-audio'
import { createApp } from '#src/server/app'
import type { Services } from '#src/services'
import { memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import { openStorage } from './storage'
import { nginx, startNginx } from './testing-nginx'
import { startTestStore } from './testing-s3'

const { services, app: streaming } = await testApp()
const store = startTestStore()
const dir = await mkdtemp(join(tmpdir(), 'nocturne-delivery-'))
afterAll(async () => {
  store.stop()
  await rm(dir, { recursive: true, force: true })
})
const bytes = await toneMp3(2)
const ana = await memberBrowser(streaming, 'ana@example.com')
const cookie = [...ana.jar].map(([name, value]) => `${name}=${value}`).join('; ')

/** Starts the program with these environment variables; returns its origin and the address of a narration. */
async function openDelivery(variables: Record<string, string>) {
  const env = readEnv({ ADMIN_TOKEN: services.env.adminToken, AGE_GATE: 'off', DEMO: 'off', ...variables })
  const own: Services = { ...services, env, storage: openStorage(env) }
  const { id: storyId } = await publishTestItem(own)
  const staged = await own.storage.receive(new Blob([bytes]).stream())
  const file = await admitAudio(own, staged, 'tone.mp3')
  await attachAudio(own.db, { storyId, voice: 'female', file, provider: 'upload' })
  const app = createApp(own)
  const server = Bun.serve({ port: 0, fetch: (request) => app.fetch(request) })
  afterAll(() => server.stop(true))
  return { origin: server.url.origin, path: `/api/premium-audio/${storyId}/female`, file }
}

const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers: { cookie, ...headers }, redirect: 'manual' })

describe('audio delivery by redirect', async () => {
  const { settings } = store
  const variables = {
    DATA_DIR: join(dir, 'redirect'),
    AUDIO_DELIVERY: 'redirect',
    S3_ENDPOINT: settings.endpoint,
    S3_PUBLIC_ENDPOINT: settings.endpoint.replace('127.0.0.1', 'localhost'),
    S3_BUCKET: settings.bucket,
    S3_ACCESS_KEY_ID: settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  }
  const { origin, path, file } = await openDelivery(variables)

  test('redirects a player to a signed URL of the file, which supports ranges', async () => {
    const answer = await ask(origin + path, { range: 'bytes=0-', 'sec-fetch-mode': 'no-cors' })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    const location = new URL(answer.headers.get('location') ?? '')
    expect(location.origin).toBe(new URL(variables.S3_PUBLIC_ENDPOINT).origin)
    expect(location.pathname).toBe(`/audio/${file.hash.slice(0, 2)}/${file.hash}.mp3`)
    expect(Number(location.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(3_600)
    const piece = await fetch(location, { headers: { range: 'bytes=100-199' } })
    expect([piece.status, await piece.bytes()]).toEqual([206, bytes.slice(100, 200)])
  })

  test('answers HEAD itself, with the file’s length and ETag', async () => {
    const answer = await ask(origin + path, { 'sec-fetch-mode': 'cors' }, 'HEAD')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe(String(bytes.byteLength))
    expect(answer.headers.get('etag')).toBe(`"${file.hash}"`)
  })

  test('streams the bytes to scripts, which may not read another origin', async () => {
    const answer = await ask(origin + path, { range: 'bytes=0-99', 'sec-fetch-mode': 'cors' })
    expect([answer.status, await answer.bytes()]).toEqual([206, bytes.slice(0, 100)])
  })

  test('returns 403 without access, and throws not_found for a missing file', async () => {
    expect((await ask(origin + path, { cookie: '' })).status).toBe(403)
    store.objects.delete(`${file.hash.slice(0, 2)}/${file.hash}.mp3`)
    const env = readEnv({ ...variables, ADMIN_TOKEN: services.env.adminToken })
    const refused = await Promise.try(() => openStorage(env).respond(file, new Request(origin + path))).catch(
      (error) => error,
    )
    expect(refused).toMatchObject({ code: 'not_found' })
  })
})

describe.if(nginx !== null)('audio delivery by accel, behind the documented nginx', async () => {
  const { origin, path, file } = await openDelivery({
    DATA_DIR: join(dir, 'accel'),
    AUDIO_DELIVERY: 'accel',
    TRUST_PROXY: '127.0.0.1',
  })
  const front = nginx === null ? origin : await startNginx(origin, join(dir, 'accel', 'audio'))
  const etag = `"${file.hash}"`

  test('returns the file’s internal path and no bytes to nginx', async () => {
    const answer = await ask(origin + path)
    expect(answer.headers.get('x-accel-redirect')).toBe(
      `/nocturne-audio/${file.hash.slice(0, 2)}/${file.hash}.mp3`,
    )
    expect((await answer.bytes()).byteLength).toBe(0)
  })

  test('has nginx send the whole file, and its headers for HEAD', async () => {
    const got = await ask(front + path)
    expect(got.headers.get('x-accel-redirect')).toBeNull()
    expect(await got.bytes()).toEqual(bytes)
    for (const answer of [got, await ask(front + path, {}, 'HEAD')]) {
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        etag,
        'content-length': String(bytes.byteLength),
        'content-type': 'audio/mpeg',
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        vary: 'cookie',
      })
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })

  test('supports ranges, If-Range and If-None-Match', async () => {
    const last = bytes.byteLength - 1
    for (const [range, from, to] of [
      ['bytes=0-0', 0, 0],
      ['bytes=100-', 100, last],
      ['bytes=-50', last - 49, last],
    ] as const) {
      const piece = await ask(front + path, { range })
      expect(piece.status).toBe(206)
      expect(piece.headers.get('content-range')).toBe(`bytes ${from}-${to}/${bytes.byteLength}`)
      expect(await piece.bytes()).toEqual(bytes.slice(from, to + 1))
    }
    const statusOf = async (headers: Record<string, string>) => (await ask(front + path, headers)).status
    expect(await statusOf({ range: `bytes=${bytes.byteLength}-` })).toBe(416)
    expect(await statusOf({ range: 'bytes=0-9', 'if-range': etag })).toBe(206)
    expect(await statusOf({ range: 'bytes=0-9', 'if-range': '"another"' })).toBe(200)
    expect(await statusOf({ 'if-none-match': etag })).toBe(304)
  })

  test('returns 403 without access, and 404 for the internal path', async () => {
    expect((await ask(front + path, { cookie: '' })).status).toBe(403)
    const place = `/nocturne-audio/${file.hash.slice(0, 2)}/${file.hash}.mp3`
    expect((await ask(front + place)).status).toBe(404)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rejectionOf } from '#src/testing/rejection'
import { until } from '#src/testing/until'
import type { AudioFile } from './audio-file'
import { type AudioStorage, s3Storage } from './storage'
import { startTestStore } from './testing-s3'
import { startSlowStore } from './testing-slow-store'

const mebibyte = 1024 * 1024
const sizeBytes = 4 * mebibyte
const heldBytes = mebibyte
const bytes = Uint8Array.from({ length: sizeBytes }, (_, at) => (at * 7 + (at >> 9)) % 251)
const store = startTestStore()
let dir = ''
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'nocturne-streaming-'))
})
afterAll(async () => {
  store.stop()
  await rm(dir, { recursive: true, force: true })
})

/** A stored file, a server that responds with it, and its store, which pauses after a mebibyte. */
async function openSlowly(name: string, content = bytes) {
  const upload = s3Storage(store.settings, join(dir, 'upload'))
  const file = await upload.commit(await upload.receive(new Blob([bytes]).stream()), 'mp3')
  store.objects.set(`${file.hash.slice(0, 2)}/${file.hash}.mp3`, { bytes: content, modifiedAt: new Date() })
  const slow = await startSlowStore(store, heldBytes)
  const storage = s3Storage(slow.settings, join(dir, name))
  const server = Bun.serve({
    port: 0,
    fetch: (request) => storage.respond(file, request),
    error: () => new Response('refused', { status: 500 }),
  })
  afterAll(async () => {
    slow.stop()
    await server.stop(true)
  })
  const ask = (headers: Record<string, string> = {}, method = 'GET') => fetch(server.url, { method, headers })
  return { file, storage, ask, release: slow.release, url: server.url }
}

/** Reads at least so many bytes of a body; the rest stays unread. */
async function readBytes(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  least: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  while (length < least) {
    const { done, value } = await reader.read()
    if (done) break
    pieces.push(value)
    length += value.byteLength
  }
  return new Uint8Array(Buffer.concat(pieces))
}

const wholeReads = (from: number) =>
  store.requests.slice(from).filter((each) => each.startsWith('GET')).length

describe('file still arriving from the S3 store', () => {
  test('streams to several listeners from one fetch, each from their own offset', async () => {
    const { ask, release } = await openSlowly('many')
    const before = store.requests.length
    const answers = await Promise.all([ask(), ask({ range: 'bytes=0-' }), ask({ range: 'bytes=500000-' })])
    expect(answers.map(({ status }) => status)).toEqual([200, 206, 206])
    expect(answers.map(({ headers }) => headers.get('content-range'))).toEqual([
      null,
      `bytes 0-${sizeBytes - 1}/${sizeBytes}`,
      `bytes 500000-${sizeBytes - 1}/${sizeBytes}`,
    ])
    const readers = answers.map(({ body }) => (body ?? new Blob().stream()).getReader())
    const first = await Promise.all(readers.map((reader) => readBytes(reader, 400_000)))
    release()
    const rest = await Promise.all(readers.map((reader) => readBytes(reader, Number.POSITIVE_INFINITY)))
    for (const [at, from] of [0, 0, 500_000].entries()) {
      const heard = new Uint8Array(Buffer.concat([first[at] ?? bytes, rest[at] ?? bytes]))
      expect(heard).toEqual(bytes.slice(from))
    }
    expect(wholeReads(before)).toBe(1)
  })

  test('supports small ranges, HEAD, 304 and 416 like a complete file', async () => {
    const { ask, file, release } = await openSlowly('headers')
    const small = await ask({ range: 'bytes=0-1' })
    expect(small.status).toBe(206)
    expect(small.headers.get('content-length')).toBe('2')
    expect(await small.bytes()).toEqual(bytes.slice(0, 2))
    const head = await ask({}, 'HEAD')
    expect(head.status).toBe(200)
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'content-length': String(sizeBytes),
      'content-type': 'audio/mpeg',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      etag: `"${file.hash}"`,
      vary: 'cookie',
    })
    expect((await ask({ 'if-none-match': `"${file.hash}"` })).status).toBe(304)
    const outside = await ask({ range: `bytes=${sizeBytes}-` })
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, `bytes */${sizeBytes}`])
    release()
  })

  test('serves a range far beyond what has arrived without waiting', async () => {
    const { ask, release } = await openSlowly('far')
    const first = await ask({ range: 'bytes=0-' })
    for (const range of ['bytes=-1000', `bytes=${sizeBytes - 1000}-${sizeBytes - 1}`]) {
      const far = await ask({ range })
      expect(far.status).toBe(206)
      expect(await far.bytes()).toEqual(bytes.slice(-1000))
    }
    const long = await ask({ range: `bytes=${3 * mebibyte}-` })
    expect(await long.bytes()).toEqual(bytes.slice(3 * mebibyte))
    release()
    expect((await first.bytes()).byteLength).toBe(sizeBytes)
  })

  test('is cached completely even if its listener leaves', async () => {
    const { ask, file, release } = await openSlowly('left')
    const { body } = await ask()
    await body?.cancel()
    release()
    const copy = join(dir, 'left', 'cache', file.hash.slice(0, 2))
    await until(async () => (await readdir(copy).catch(() => [])).length === 1)
    const before = store.requests.length
    const whole = await ask()
    expect(whole.headers.get('content-length')).toBe(String(sizeBytes))
    expect(await whole.bytes()).toEqual(bytes)
    expect(wholeReads(before)).toBe(0)
    expect(await readdir(join(dir, 'left', 'incoming'))).toEqual([])
  })

  test('is never delivered completely when it does not match its hash', async () => {
    const { ask, file, release } = await openSlowly('spoilt', bytes.toReversed())
    const answer = await ask()
    release()
    await rejectionOf(answer.arrayBuffer())
    expect(await readdir(join(dir, 'spoilt', 'incoming'))).toEqual([])
    expect(await readdir(join(dir, 'spoilt', 'cache')).catch(() => [])).toEqual([])
    store.objects.delete(`${file.hash.slice(0, 2)}/${file.hash}.mp3`)
  })
})

test('a file missing from the S3 store throws not_found', async () => {
  const storage: AudioStorage = s3Storage(store.settings, join(dir, 'none'))
  const missing: AudioFile = { hash: '0'.repeat(64), extension: 'mp3' }
  const refused = await rejectionOf(
    Promise.resolve(storage.respond(missing, new Request('http://localhost/'))),
  )
  expect(refused).toMatchObject({ code: 'not_found' })
})

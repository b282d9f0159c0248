import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rejectionOf } from '#src/testing/rejection'
import { openBucket } from './audio-bucket'
import { audioCache } from './audio-cache'
import { keyOf } from './audio-file'

const bytes = new Uint8Array(900_000).fill(7)
const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
const file = { hash, extension: 'mp3' as const }
const dir = mkdtempSync(join(tmpdir(), 'nocturne-silent-'))

/** How many bytes the store sends before it falls silent for ever; null for all of them. */
let sentBytes: number | null = null
const store = Bun.serve({
  port: 0,
  idleTimeout: 0,
  fetch() {
    const headers = { 'content-length': String(bytes.byteLength), 'last-modified': new Date(0).toUTCString() }
    if (sentBytes === null) return new Response(bytes, { headers })
    if (sentBytes === 0) return new Promise<Response>(() => {})
    const sent = bytes.subarray(0, sentBytes)
    let isSent = false
    const body = new ReadableStream({
      pull(controller) {
        if (isSent) return new Promise<void>(() => {})
        isSent = true
        controller.enqueue(sent)
      },
    })
    return new Response(body, { headers })
  },
})
afterAll(async () => {
  await store.stop(true)
  rmSync(dir, { recursive: true, force: true })
})

/** Short limits for tests that wait for silence. A working store may need longer on a busy machine. */
const limits = { answerSeconds: 2, silenceSeconds: 2 }
const settings = {
  endpoint: store.url.origin,
  bucket: 'audio',
  accessKeyId: 'key',
  secretAccessKey: 'secret',
  region: 'us-east-1',
}
const bucket = openBucket(settings, limits)
const patientBucket = openBucket(settings)

for (const [what, sent] of [
  ['does not answer', 0],
  ['falls silent in the middle', 300_000],
] as const) {
  test(`requests fail when the store ${what}, and the next one is sent again`, async () => {
    const cache = audioCache({ cache: join(dir, what), staging: join(dir, 'incoming') }, (each, range) =>
      (sentBytes === null ? patientBucket : bucket).open(keyOf(each), range),
    )
    sentBytes = sent
    const both = await Promise.all([rejectionOf(cache.find(file)), rejectionOf(cache.find(file))])
    expect(both.map(({ message }) => message)).toEqual(Array(2).fill('The store does not answer.'))
    sentBytes = null
    expect(await cache.find(file)).toMatchObject({ sizeBytes: bytes.byteLength })
  })
}

test('a list of a store that does not answer ends after the limit of silence', async () => {
  sentBytes = 0
  expect((await rejectionOf(Array.fromAsync(bucket.list()))).name).toBe('TimeoutError')
  sentBytes = null
})

test('a slow reader is not mistaken for a silent store', async () => {
  sentBytes = null
  // Longer than a stall: a working store must not be taken for a silent one here.
  const bucket = openBucket(settings, { answerSeconds: 5, silenceSeconds: 5 })
  const reader = (await bucket.open('slowly read')).chunks.getReader()
  const read = [(await reader.read()).value]
  sentBytes = 300_000
  // This takes as long as the silence limit.
  await rejectionOf(new Response((await bucket.open('silent')).chunks).bytes())
  for (let next = await reader.read(); !next.done; next = await reader.read()) read.push(next.value)
  expect(read.reduce((sum, chunk) => sum + (chunk?.byteLength ?? 0), 0)).toBe(bytes.byteLength)
})

test('uploading to or listing a web server that is not an S3 store throws', async () => {
  const page = '<html><title>Sign in</title></html>'
  const headers = { 'content-type': 'text/html' }
  const other = Bun.serve({ port: 0, fetch: () => new Response(page, { headers }) })
  try {
    const { list, write } = openBucket({ ...settings, endpoint: other.url.origin })
    const path = join(dir, 'moon.mp3')
    await Bun.write(path, bytes)
    const calls = [write('moon.mp3', path, 'audio/mpeg'), Array.fromAsync(list())]
    const errors = await Promise.all(calls.map(rejectionOf))
    for (const error of errors)
      expect(error).toMatchObject({ message: 'What answers at S3_ENDPOINT is no S3-compatible store.' })
  } finally {
    await other.stop(true)
  }
})

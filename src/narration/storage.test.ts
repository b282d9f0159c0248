import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '#src/refusal'
import { type AudioFile, type AudioStorage, folderStorage } from './storage'

const sizeBytes = 200_000
const bytes = Uint8Array.from({ length: sizeBytes }, (_, at) => (at * 7) % 251)

let dir = ''
let storage: AudioStorage
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'nocturne-audio-'))
  storage = folderStorage(dir)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

describe('receiving', () => {
  test('what is kept lies under the hash of its content, and twice is once', async () => {
    const first = await storage.keep(await storage.receive(chunksOf(bytes)), 'mp3')
    expect(first.hash).toBe(new Bun.CryptoHasher('sha256').update(bytes).digest('hex'))
    expect(await readdir(join(dir, first.hash.slice(0, 2)))).toEqual([`${first.hash}.mp3`])

    expect(await storage.keep(await storage.receive(chunksOf(bytes)), 'mp3')).toEqual(first)
    expect(await readdir(join(dir, 'incoming'))).toEqual([])
    expect(await Array.fromAsync(storage.list())).toMatchObject([{ ...first, sizeBytes }])
    expect(new Uint8Array(await Bun.readableStreamToArrayBuffer(await storage.read(first)))).toEqual(bytes)
  })

  test('a file of this machine is taken by its path and stays where it was', async () => {
    const path = join(dir, 'given.mp3')
    await writeFile(path, bytes)
    const staged = await storage.receive(path)
    expect(staged.sizeBytes).toBe(sizeBytes)
    await storage.discard(staged)
    expect(await Bun.file(path).exists()).toBe(true)
  })

  test('more than is taken is refused and leaves nothing', async () => {
    const refused = await storage.receive(chunksOf(bytes), 64 * 1024).catch((error) => error)
    expect(refused).toBeInstanceOf(Refusal)
    expect(refused).toMatchObject({ code: 'too_large' })
    expect(await readdir(join(dir, 'incoming'))).toEqual([])
  })

  test('a sender that goes away half-way leaves nothing', async () => {
    expect(storage.receive(breakingOff())).rejects.toThrow('connection lost')
    await Bun.sleep(20)
    expect(await readdir(join(dir, 'incoming'))).toEqual([])
  })

  test('what a killed program left is swept after an hour, younger files are not', async () => {
    const old = await storage.receive(chunksOf(bytes))
    const young = await storage.receive(chunksOf(bytes))
    const anHourAgo = new Date(Date.now() - 3_700_000)
    await utimes(old.path, anHourAgo, anHourAgo)
    expect(await storage.sweepStaged()).toBe(1)
    expect(await readdir(join(dir, 'incoming'))).toHaveLength(1)
    await storage.discard(young)
  })
})

describe('answering over HTTP', () => {
  let file: AudioFile
  let server: Bun.Server<undefined>
  beforeAll(async () => {
    file = await storage.keep(await storage.receive(chunksOf(bytes)), 'mp3')
    server = Bun.serve({ port: 0, fetch: (request) => storage.respond(file, request) })
  })
  afterAll(() => server.stop(true))

  const ask = async (headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(server.url, { method, headers })
    return { response, body: new Uint8Array(await response.arrayBuffer()) }
  }
  const etag = () => `"${file.hash}"`

  test('the whole file, for GET and HEAD alike', async () => {
    const got = await ask()
    const head = await ask({}, 'HEAD')
    expect(got.body).toEqual(bytes)
    expect(head.body).toHaveLength(0)
    for (const { response } of [got, head]) {
      expect(response.status).toBe(200)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        etag: etag(),
        'content-length': String(sizeBytes),
        'accept-ranges': 'bytes',
        'content-type': 'audio/mpeg',
        'cache-control': 'private, no-cache',
        vary: 'cookie',
      })
    }
  })

  const ranges: [range: string, from: number, to: number][] = [
    ['bytes=0-0', 0, 1],
    ['bytes=0-99', 0, 100],
    ['bytes=100-', 100, sizeBytes],
    ['bytes=-100', sizeBytes - 100, sizeBytes],
    [`bytes=-${sizeBytes * 2}`, 0, sizeBytes],
    [`bytes=199999-${sizeBytes * 2}`, sizeBytes - 1, sizeBytes],
  ]
  for (const [range, from, to] of ranges) {
    test(`${range} is answered with its part`, async () => {
      const { response, body } = await ask({ range })
      expect(response.status).toBe(206)
      expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${sizeBytes}`)
      expect(response.headers.get('content-length')).toBe(String(to - from))
      expect(response.headers.get('accept-ranges')).toBe('bytes')
      expect(body).toEqual(bytes.slice(from, to))
    })
  }

  test('a range past the end is a 416 that says how long the file is', async () => {
    const { response } = await ask({ range: `bytes=${sizeBytes}-` })
    expect(response.status).toBe(416)
    expect(response.headers.get('content-range')).toBe(`bytes */${sizeBytes}`)
  })

  for (const range of ['bytes=9-5', 'bytes=abc', 'pages=1-2', 'bytes=']) {
    test(`${range} is no range: the whole file`, async () => {
      const { response, body } = await ask({ range })
      expect(response.status).toBe(200)
      expect(response.headers.has('content-range')).toBe(false)
      expect(body).toHaveLength(sizeBytes)
    })
  }

  test('a range of another version is not mixed with this one', async () => {
    const other = await ask({ range: 'bytes=0-9', 'if-range': '"another"' })
    expect([other.response.status, other.body.byteLength]).toEqual([200, sizeBytes])
    const same = await ask({ range: 'bytes=0-9', 'if-range': etag() })
    expect([same.response.status, same.body.byteLength]).toEqual([206, 10])
  })

  test('what the asker has is not sent again, with or without a range', async () => {
    for (const known of [etag(), `W/${etag()}`, `"another", ${etag()}`, '*']) {
      const { response, body } = await ask({ 'if-none-match': known, range: 'bytes=0-9' })
      expect([response.status, body.byteLength]).toEqual([304, 0])
      expect(response.headers.get('etag')).toBe(etag())
    }
    expect((await ask({ 'if-none-match': '"another"' })).response.status).toBe(200)
  })

  test('a missing file is refused, not a crash', async () => {
    const missing: AudioFile = { hash: '0'.repeat(64), extension: 'mp3' }
    const refused = await storage.respond(missing, new Request('http://localhost/')).catch((error) => error)
    expect(refused).toMatchObject({ code: 'not_found' })
    expect(await storage.find(missing)).toBeNull()
  })
})

async function* chunksOf(all: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < all.byteLength; at += 30_000) yield all.subarray(at, at + 30_000)
}

async function* breakingOff(): AsyncGenerator<Uint8Array> {
  yield bytes
  throw new Error('connection lost')
}

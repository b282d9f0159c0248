import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '#src/refusal'
import { audioCache } from './audio-cache'
import { listFolder } from './audio-folder'
import { type AudioFile, type AudioStorage, folderStorage, s3Storage } from './storage'
import { startTestStore } from './testing-s3'

const sizeBytes = 200_000
const bytes = Uint8Array.from({ length: sizeBytes }, (_, at) => (at * 7) % 251)

let dir = ''
const store = startTestStore()
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'nocturne-audio-'))
})
afterAll(async () => {
  store.stop()
  await rm(dir, { recursive: true, force: true })
})

describe('a folder', () => {
  let storage: AudioStorage
  beforeAll(() => {
    storage = folderStorage(dir)
  })

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

for (const [where, openStorage] of [
  ['a folder', () => folderStorage(dir)],
  ['an S3 store', () => s3Storage(store.settings, join(dir, 's3'))],
] as const)
  describe(`answering over HTTP from ${where}`, () => {
    let storage: AudioStorage
    let file: AudioFile
    let server: Bun.Server<undefined>
    beforeAll(async () => {
      storage = openStorage()
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
      const refused = await Promise.try(() =>
        storage.respond(missing, new Request('http://localhost/')),
      ).catch((error) => error)
      expect(refused).toMatchObject({ code: 'not_found' })
      expect(await storage.find(missing)).toBeNull()
    })
  })

describe('an S3 store', () => {
  test('keeps what is received once, under the hash of its content, and forgets it', async () => {
    const storage = s3Storage(store.settings, join(dir, 's3'))
    store.objects.clear()
    const first = await storage.keep(await storage.receive(chunksOf(bytes)), 'mp3')
    expect([...store.objects.keys()]).toEqual([`${first.hash.slice(0, 2)}/${first.hash}.mp3`])
    const puts = () => store.requests.filter((request) => request.startsWith('PUT')).length
    const before = puts()
    expect(await storage.keep(await storage.receive(chunksOf(bytes)), 'mp3')).toEqual(first)
    expect(puts()).toBe(before)
    expect(await readdir(join(dir, 'incoming'))).toEqual([])
    expect(new Uint8Array(await Bun.readableStreamToArrayBuffer(await storage.read(first)))).toEqual(bytes)
    expect(await storage.find(first)).toMatchObject({ ...first, sizeBytes })
    await storage.remove(first)
    await storage.remove(first)
    expect(await storage.find(first)).toBeNull()
  })

  test('lists everything, over more than one page, and nothing that is not ours', async () => {
    const storage = s3Storage(store.settings, join(dir, 's3'))
    store.objects.clear()
    store.objects.set('readme.txt', { bytes: new Uint8Array(1), modifiedAt: new Date() })
    for (let at = 0; at < 5; at += 1)
      await storage.keep(await storage.receive(chunksOf(bytes.subarray(at))), 'wav')
    const listed = await Array.fromAsync(storage.list())
    expect(listed).toHaveLength(5)
    expect(listed.map((file) => file.sizeBytes).sort()).toEqual(
      [0, 1, 2, 3, 4].map((less) => sizeBytes - less).sort(),
    )
  })

  test('a large file goes up in parts', async () => {
    const storage = s3Storage(store.settings, join(dir, 's3'))
    const large = new Uint8Array(12 * 1024 * 1024).fill(9)
    const file = await storage.keep(await storage.receive(chunksOf(large)), 'mp3')
    expect((await storage.find(file))?.sizeBytes).toBe(large.byteLength)
  })

  test('a store that refuses is "unavailable", and what it said is not shown', async () => {
    const storage = s3Storage({ ...store.settings, endpoint: 'http://localhost:9' }, join(dir, 's3'))
    const refused = await Promise.try(() =>
      storage.respond({ hash: '0'.repeat(64), extension: 'mp3' }, new Request('http://localhost/')),
    ).catch((error) => error)
    expect(refused).toMatchObject({ code: 'unavailable' })
  })
})

describe('copies of what lies in an S3 store', () => {
  const make = async (name: string, bytesMax?: number) => {
    const storage = s3Storage(store.settings, join(dir, name))
    const folders = { cache: join(dir, name, 'copies'), staging: join(dir, name, 'incoming') }
    const client = new Bun.S3Client(store.settings)
    const cache = audioCache(
      folders,
      ({ hash, extension }) => client.file(`${hash.slice(0, 2)}/${hash}.${extension}`).stream(),
      bytesMax,
    )
    return {
      storage,
      cache,
      copies: async () => (await Array.fromAsync(listFolder(folders.cache))).map(({ hash }) => hash),
    }
  }

  test('are fetched once, also when many ask at once', async () => {
    const { storage, cache, copies } = await make('once')
    const file = await storage.keep(await storage.receive(chunksOf(bytes)), 'mp3')
    const before = store.requests.length
    const found = await Promise.all(Array.from({ length: 20 }, () => cache.find(file)))
    expect(found.every((each) => each?.sizeBytes === sizeBytes)).toBe(true)
    expect(store.requests.slice(before).filter((each) => each.startsWith('GET'))).toHaveLength(1)
    expect(await copies()).toEqual([file.hash])
  })

  test('are not made of what is not what its name says', async () => {
    const { storage, cache, copies } = await make('spoilt')
    const file = await storage.keep(await storage.receive(chunksOf(bytes.subarray(7))), 'mp3')
    store.objects.set(`${file.hash.slice(0, 2)}/${file.hash}.mp3`, {
      bytes: new Uint8Array(10),
      modifiedAt: new Date(),
    })
    expect(cache.find(file)).rejects.toThrow('holds something else')
    expect(await copies()).toEqual([])
  })

  test('go when there are too many, those first that were not heard for longest', async () => {
    const { storage, cache, copies } = await make('many', 3.5 * sizeBytes)
    const files: AudioFile[] = []
    for (let at = 0; at < 4; at += 1) {
      files.push(await storage.keep(await storage.receive(chunksOf(bytes.subarray(at * 10))), 'mp3'))
    }
    const [first, second, third, fourth] = files
    for (const file of [first, second, third, first]) {
      if (file) await cache.find(file)
      await Bun.sleep(10)
    }
    if (fourth) await cache.find(fourth)
    expect((await copies()).sort()).toEqual([first, third, fourth].map((file) => file?.hash ?? '').sort())
  })
})

async function* chunksOf(all: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < all.byteLength; at += 30_000) yield all.subarray(at, at + 30_000)
}

async function* breakingOff(): AsyncGenerator<Uint8Array> {
  yield bytes
  throw new Error('connection lost')
}

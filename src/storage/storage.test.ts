import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { AppError } from '#src/app-error'
import { familiesOfProcess } from '#src/process/metrics'
import { rejectionOf } from '#src/testing/rejection'
import { until } from '#src/testing/until'
import { openBucket } from './audio-bucket'
import { audioCache } from './audio-cache'
import type { AudioFile } from './audio-file'
import { listFolder, placeIn } from './audio-folder'
import { type AudioStorage, folderStorage, s3Storage } from './storage'
import { startTestStore } from './testing-s3'

/** The metrics' count of audio bytes sent. */
function countedBytes(): number {
  const counted = familiesOfProcess().find(({ name }) => name === 'nocturne_audio_bytes_total')
  return counted?.samples[0]?.value ?? 0
}

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

describe('folder storage', () => {
  let storage: AudioStorage
  beforeAll(() => {
    storage = folderStorage(dir)
  })

  test('stores the same content once, named by its hash', async () => {
    const first = await storage.commit(await storage.receive(chunksOf(bytes)), 'mp3')
    expect(first.hash).toBe(new Bun.CryptoHasher('sha256').update(bytes).digest('hex'))
    expect(await readdir(join(dir, first.hash.slice(0, 2)))).toEqual([`${first.hash}.mp3`])

    expect(await storage.commit(await storage.receive(chunksOf(bytes)), 'mp3')).toEqual(first)
    expect(await readdir(join(dir, 'incoming'))).toEqual([])
    expect(await Array.fromAsync(storage.list())).toMatchObject([{ ...first, sizeBytes }])
    expect(new Uint8Array(await Bun.readableStreamToArrayBuffer(await storage.read(first)))).toEqual(bytes)
  })

  test('receives a local file by its path and leaves it where it is', async () => {
    const path = join(dir, 'given.mp3')
    await writeFile(path, bytes)
    const staged = await storage.receive(path)
    expect(staged.sizeBytes).toBe(sizeBytes)
    await storage.discard(staged)
    expect(await Bun.file(path).exists()).toBe(true)
  })

  test('rejects a file over the size limit and leaves no temporary file', async () => {
    const refused = await storage.receive(chunksOf(bytes), 64 * 1024).catch((error) => error)
    expect(refused).toBeInstanceOf(AppError)
    expect(refused).toMatchObject({ code: 'too_large' })
    expect(await readdir(join(dir, 'incoming'))).toEqual([])
  })

  test('leaves no temporary file when the sender disconnects', async () => {
    expect((await rejectionOf(storage.receive(breakingOff()))).message).toContain('connection lost')
    expect(await readdir(join(dir, 'incoming'))).toEqual([])
  })

  test('sweeps temporary files after an hour, but not younger ones', async () => {
    const old = await storage.receive(chunksOf(bytes))
    const young = await storage.receive(chunksOf(bytes))
    const anHourAgo = new Date(Date.now() - 3_700_000)
    await utimes(old.path, anHourAgo, anHourAgo)
    expect(await storage.sweepStaged()).toBe(1)
    expect(await readdir(join(dir, 'incoming'))).toHaveLength(1)
    await storage.discard(young)
  })
})

describe('stored file replaced by something else', () => {
  const request = new Request('http://localhost:3000/api/premium-audio/x/female')
  const canary = 'a canary that no listener asked for'
  const replacements: Record<string, (place: string, outside: string) => Promise<void>> = {
    'a link to the system’s password file': (place) => symlink('/etc/passwd', place),
    'a link to a secret beside the audio': (place, outside) => symlink(outside, place),
    'a link to an endless device': (place) => symlink('/dev/zero', place),
    'a link to itself': (place) => symlink(place, place),
    'a pipe without a writer': async (place) => expect(Bun.spawnSync(['mkfifo', place]).exitCode).toBe(0),
    'a folder': async (place) => void (await mkdir(place)),
    'a link to elsewhere in place of its folder': async (place, outside) => {
      await rm(dirname(place), { recursive: true })
      await mkdir(`${outside}-folder`)
      await writeFile(join(`${outside}-folder`, basename(place)), canary)
      await symlink(`${outside}-folder`, dirname(place))
    },
  }

  test.each(Object.entries(replacements))(
    '%s is not served, read or listed, and blocks nothing',
    async (name, replace) => {
      const home = join(dir, 'replaced', name.replaceAll(' ', '-'))
      const storage = folderStorage(join(home, 'audio'))
      const file = await storage.commit(await storage.receive(chunksOf(bytes)), 'mp3')
      const outside = join(home, 'admin-token')
      await writeFile(outside, canary)
      const place = placeIn(join(home, 'audio'), file)
      await rm(place)
      await replace(place, outside)
      const codeOf = async (call: () => Promise<unknown>) =>
        call().then(
          () => 'it was answered',
          (error) => error.code,
        )
      expect(await codeOf(async () => storage.respond(file, request))).toBe('not_found')
      expect(await codeOf(() => storage.read(file))).toBe('not_found')
      expect(await storage.find(file)).toBeNull()
      expect(await Array.fromAsync(storage.list())).toEqual([])
    },
  )

  test('the folder of all audio may itself be a link to another disk', async () => {
    await mkdir(join(dir, 'disk'))
    await symlink(join(dir, 'disk'), join(dir, 'linked'))
    const storage = folderStorage(join(dir, 'linked'))
    const file = await storage.commit(await storage.receive(chunksOf(bytes)), 'mp3')
    expect((await storage.respond(file, request)).status).toBe(200)
    expect(await Array.fromAsync(storage.list())).toMatchObject([{ ...file, sizeBytes }])
  })
})

for (const [where, openStorage] of [
  ['a folder', () => folderStorage(dir)],
  ['an S3 store', () => s3Storage(store.settings, join(dir, 's3'))],
] as const)
  describe(`HTTP response from ${where}`, () => {
    let storage: AudioStorage
    let file: AudioFile
    let server: Bun.Server<undefined>
    beforeAll(async () => {
      storage = openStorage()
      file = await storage.commit(await storage.receive(chunksOf(bytes)), 'mp3')
      server = Bun.serve({ port: 0, fetch: (request) => storage.respond(file, request) })
    })
    afterAll(() => server.stop(true))

    const request = async (headers: Record<string, string> = {}, method = 'GET') => {
      const before = countedBytes()
      const response = await fetch(server.url, { method, headers })
      const body = new Uint8Array(await response.arrayBuffer())
      expect(countedBytes() - before).toBe(body.byteLength)
      return { response, body }
    }
    const etag = () => `"${file.hash}"`

    test('has the whole file for GET, and the same headers for HEAD', async () => {
      const got = await request()
      const head = await request({}, 'HEAD')
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
      test(`is 206 with the requested part for ${range}`, async () => {
        const { response, body } = await request({ range })
        expect(response.status).toBe(206)
        expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${sizeBytes}`)
        expect(response.headers.get('content-length')).toBe(String(to - from))
        expect(response.headers.get('accept-ranges')).toBe('bytes')
        expect(body).toEqual(bytes.slice(from, to))
      })
    }

    test('is 416 with the file’s size for a range past the end', async () => {
      const { response } = await request({ range: `bytes=${sizeBytes}-` })
      expect(response.status).toBe(416)
      expect(response.headers.get('content-range')).toBe(`bytes */${sizeBytes}`)
    })

    for (const range of ['bytes=9-5', 'bytes=abc', 'pages=1-2', 'bytes=']) {
      test(`is the whole file for the invalid range ${range}`, async () => {
        const { response, body } = await request({ range })
        expect(response.status).toBe(200)
        expect(response.headers.has('content-range')).toBe(false)
        expect(body).toHaveLength(sizeBytes)
      })
    }

    test('is the whole file when If-Range names another version', async () => {
      const other = await request({ range: 'bytes=0-9', 'if-range': '"another"' })
      expect([other.response.status, other.body.byteLength]).toEqual([200, sizeBytes])
      const same = await request({ range: 'bytes=0-9', 'if-range': etag() })
      expect([same.response.status, same.body.byteLength]).toEqual([206, 10])
    })

    test('is 304 when If-None-Match matches, even with a range', async () => {
      for (const known of [etag(), `W/${etag()}`, `"another", ${etag()}`, '*']) {
        const { response, body } = await request({ 'if-none-match': known, range: 'bytes=0-9' })
        expect([response.status, body.byteLength]).toEqual([304, 0])
        expect(response.headers.get('etag')).toBe(etag())
      }
      expect((await request({ 'if-none-match': '"another"' })).response.status).toBe(200)
    })

    test('fails with not_found for a missing file', async () => {
      const missing: AudioFile = { hash: '0'.repeat(64), extension: 'mp3' }
      const refused = await Promise.try(() =>
        storage.respond(missing, new Request('http://localhost/')),
      ).catch((error) => error)
      expect(refused).toMatchObject({ code: 'not_found' })
      expect(await storage.find(missing)).toBeNull()
    })
  })

describe('S3 storage', () => {
  test('stores the same content once, under its hash, in place of other bytes there, and removes it', async () => {
    const storage = s3Storage(store.settings, join(dir, 's3'))
    store.objects.clear()
    const first = await storage.commit(await storage.receive(chunksOf(bytes)), 'mp3')
    expect([...store.objects.keys()]).toEqual([`${first.hash.slice(0, 2)}/${first.hash}.mp3`])
    // A copy by other means may have written something else of the same size.
    for (const object of store.objects.values()) object.bytes = new Uint8Array(bytes.byteLength)
    expect(await storage.commit(await storage.receive(chunksOf(bytes)), 'mp3')).toEqual(first)
    expect(store.objects.size).toBe(1)
    expect(await readdir(join(dir, 'incoming'))).toEqual([])
    expect(new Uint8Array(await Bun.readableStreamToArrayBuffer(await storage.read(first)))).toEqual(bytes)
    expect(await storage.find(first)).toMatchObject({ ...first, sizeBytes })
    await storage.remove(first)
    await storage.remove(first)
    expect(await storage.find(first)).toBeNull()
  })

  test('lists all pages, and leaves out names that are not ours', async () => {
    const storage = s3Storage(store.settings, join(dir, 's3'))
    store.objects.clear()
    for (const name of ['<a> & b.txt', '<c> & d.txt', '<e> & f.txt'])
      store.objects.set(name, { bytes: new Uint8Array(1), modifiedAt: new Date() })
    for (let at = 0; at < 5; at += 1)
      await storage.commit(await storage.receive(chunksOf(bytes.subarray(at))), 'wav')
    const listed = await Array.fromAsync(storage.list())
    expect(listed).toHaveLength(5)
    expect(listed.map((file) => file.sizeBytes).sort()).toEqual(
      [0, 1, 2, 3, 4].map((less) => sizeBytes - less).sort(),
    )
    const folder = listed[0]?.hash.slice(0, 2) ?? ''
    const inFolder = listed.filter(({ hash }) => hash.startsWith(folder)).map(({ hash }) => hash)
    expect((await Array.fromAsync(storage.list(folder))).map(({ hash }) => hash)).toEqual(inFolder)
  })

  test.each([
    ['ignores start-after', `<Contents><Key>${'a'.repeat(64)}.mp3</Key></Contents>`],
    ['has more names but lists none', ''],
  ])('stops listing with an error after two requests when the store %s', async (_, contents) => {
    let asked = 0
    const other = Bun.serve({
      port: 0,
      fetch() {
        asked += 1
        // The list ends after ten pages, in case the reader would go on for ever.
        const isTruncated = asked < 10
        return new Response(
          `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents}</ListBucketResult>`,
        )
      },
    })
    try {
      const storage = s3Storage({ ...store.settings, endpoint: other.url.origin }, join(dir, 'same'))
      expect(await rejectionOf(Array.fromAsync(storage.list()))).toMatchObject({
        message: expect.stringContaining('S3_ENDPOINT lists the same names again'),
      })
      expect(asked).toBeLessThan(3)
    } finally {
      await other.stop(true)
    }
  })

  test('stores a file of 17 MB in three parts, and reads it back', async () => {
    const storage = s3Storage(store.settings, join(dir, 's3'))
    const large = Uint8Array.from({ length: 17 * 1024 * 1024 }, (_, at) => (at >> 8) % 251)
    const before = store.requests.length
    const file = await storage.commit(await storage.receive(chunksOf(large)), 'mp3')
    expect(store.requests.slice(before).filter((each) => each.startsWith('PUT'))).toHaveLength(3)
    expect((await storage.find(file))?.sizeBytes).toBe(large.byteLength)
    const read = new Uint8Array(await new Response(await storage.read(file)).arrayBuffer())
    expect(new Bun.CryptoHasher('sha256').update(read).digest('hex')).toBe(file.hash)
  })

  test.each([301, 302, 303, 307, 308])('never follows a redirect (%d) of the store', async (status) => {
    const hits: string[] = []
    const canary = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        hits.push(`${request.method} ${request.url}`)
        return new Response('what only this machine may read')
      },
    })
    const elsewhere = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(null, { status, headers: { location: `${canary.url}latest/meta-data` } }),
    })
    const settings = { ...store.settings, endpoint: elsewhere.url.origin }
    const storage = s3Storage(settings, join(dir, `elsewhere-${status}`))
    const file: AudioFile = { hash: 'ab'.repeat(32), extension: 'mp3' }
    const calls: Record<string, () => Promise<unknown>> = {
      find: () => storage.find(file),
      read: async () => new Response(await storage.read(file)).text(),
      respond: async () => storage.respond(file, new Request('http://localhost/')),
      keep: async () => storage.commit(await storage.receive(chunksOf(bytes)), 'mp3'),
      remove: () => storage.remove(file),
      list: () => Array.fromAsync(storage.list()),
      'find in the bucket': () => openBucket(settings).find('a'),
      'read from the bucket': () => openBucket(settings).open('a'),
      'write to the bucket': () => openBucket(settings).write('a', import.meta.path, 'audio/mpeg'),
    }
    const done: string[] = []
    for (const [name, call] of Object.entries(calls))
      await call().then(
        () => done.push(name),
        () => undefined,
      )
    await Promise.all([canary.stop(true), elsewhere.stop(true)])
    expect({ hits, done }).toEqual({ hits: [], done: [] })
  })

  test('reports an unreachable store as "unavailable"', async () => {
    const storage = s3Storage({ ...store.settings, endpoint: 'http://localhost:9' }, join(dir, 's3'))
    const refused = await Promise.try(() =>
      storage.respond({ hash: '0'.repeat(64), extension: 'mp3' }, new Request('http://localhost/')),
    ).catch((error) => error)
    expect(refused).toMatchObject({ code: 'unavailable' })
  })

  test('reports a refusal by the store as "unavailable", without the store’s own words', async () => {
    const words = '<Error><Code>InvalidAccessKeyId</Code><Message>lantern does not exist</Message></Error>'
    const refusing = Bun.serve({ port: 0, fetch: () => new Response(words, { status: 403 }) })
    const storage = s3Storage({ ...store.settings, endpoint: refusing.url.origin }, join(dir, 'refused'))
    const file: AudioFile = { hash: '0'.repeat(64), extension: 'mp3' }
    const refused = await rejectionOf(
      Promise.try(() => storage.respond(file, new Request('http://localhost/'))),
    )
    await refusing.stop(true)
    expect(refused).toMatchObject({ code: 'unavailable' })
    expect(refused.message).not.toMatch(/InvalidAccessKeyId|lantern|403/)
  })
})

describe('cached copies of files in an S3 store', () => {
  const make = async (name: string, bytesMax?: number) => {
    const storage = s3Storage(store.settings, join(dir, name))
    const folders = { cache: join(dir, name, 'copies'), staging: join(dir, name, 'incoming') }
    const bucket = openBucket(store.settings)
    const cache = audioCache(
      folders,
      ({ hash, extension }, range) => bucket.open(`${hash.slice(0, 2)}/${hash}.${extension}`, range),
      { bytesMax },
    )
    return {
      storage,
      cache,
      copies: async () => (await Array.fromAsync(listFolder(folders.cache))).map(({ hash }) => hash),
    }
  }

  test('are fetched once for concurrent requests', async () => {
    const { storage, cache, copies } = await make('once')
    const file = await storage.commit(await storage.receive(chunksOf(bytes)), 'mp3')
    const before = store.requests.length
    const found = await Promise.all(Array.from({ length: 20 }, () => cache.find(file)))
    expect(found.every((each) => each?.sizeBytes === sizeBytes)).toBe(true)
    expect(store.requests.slice(before).filter((each) => each.startsWith('GET'))).toHaveLength(1)
    expect(await copies()).toEqual([file.hash])
  })

  test('may disappear during the lookup without an error', async () => {
    const { storage, cache } = await make('gone')
    const file = await storage.commit(await storage.receive(chunksOf(bytes)), 'mp3')
    // The copy is removed between any two steps of the search.
    for (let steps = 0; steps < 60; steps += 1) {
      await cache.find(file)
      const found = cache.findCopy(file)
      for (let step = 0; step < steps; step += 1) await new Promise(setImmediate)
      rmSync(cache.pathOf(file), { force: true })
      expect([null, sizeBytes]).toContain((await found)?.sizeBytes ?? null)
    }
  })

  test('are not made of content that does not match its hash', async () => {
    const { storage, cache, copies } = await make('spoilt')
    const file = await storage.commit(await storage.receive(chunksOf(bytes.subarray(7))), 'mp3')
    store.objects.set(`${file.hash.slice(0, 2)}/${file.hash}.mp3`, {
      bytes: new Uint8Array(10),
      modifiedAt: new Date(),
    })
    expect((await rejectionOf(cache.find(file))).message).toContain('holds something else')
    expect(await copies()).toEqual([])
  })

  test('are evicted when there are too many, least recently heard first', async () => {
    const { storage, cache, copies } = await make('many', 3.5 * sizeBytes)
    const files: AudioFile[] = []
    for (let at = 0; at < 4; at += 1) {
      files.push(await storage.commit(await storage.receive(chunksOf(bytes.subarray(at * 10))), 'mp3'))
    }
    const [first, second, third, fourth] = files
    for (const [at, file] of [first, second, third].entries()) {
      if (!file) continue
      await cache.find(file)
      await utimes(cache.pathOf(file), at, at)
    }
    if (first) await cache.find(first)
    if (fourth) await cache.find(fourth)
    expect((await copies()).sort()).toEqual([first, third, fourth].map((file) => file?.hash ?? '').sort())
  })
})

describe('cached copies from before a restart', () => {
  test('count towards the limit, and are evicted least recently heard first', async () => {
    const folders = { cache: join(dir, 'before', 'copies'), staging: join(dir, 'before', 'incoming') }
    const source = s3Storage(store.settings, join(dir, 'before'))
    const bucket = openBucket(store.settings)
    const openCache = () =>
      audioCache(folders, ({ hash, extension }) => bucket.open(`${hash.slice(0, 2)}/${hash}.${extension}`), {
        bytesMax: 3.5 * sizeBytes,
      })
    const files: AudioFile[] = []
    for (let at = 0; at < 4; at += 1)
      files.push(await source.commit(await source.receive(chunksOf(bytes.subarray(at * 10))), 'mp3'))
    const [first, second, third, fourth] = files
    const before = openCache()
    for (const [at, file] of [second, first, third].entries()) {
      if (!file) continue
      await before.find(file)
      await utimes(before.pathOf(file), at, at)
    }
    if (fourth) await openCache().find(fourth)
    const isLeft = (file?: AudioFile) => file !== undefined && existsSync(before.pathOf(file))
    await until(() => !isLeft(second))
    expect([first, third, fourth].map(isLeft)).toEqual([true, true, true])
  })
})

async function* chunksOf(all: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < all.byteLength; at += 30_000) yield all.subarray(at, at + 30_000)
}

async function* breakingOff(): AsyncGenerator<Uint8Array> {
  yield bytes
  throw new Error('connection lost')
}

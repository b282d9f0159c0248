import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '#src/app-error'
import { type AudioStorage, folderStorage } from '#src/storage/storage'
import { rejectionOf } from '#src/testing/rejection'
import { until } from '#src/testing/until'
import { receiveUpload, type Upload, type UploadLimits, uploadsMax } from './receive-upload'

const MB = 1024 * 1024
const limits: UploadLimits = { fields: { sheet: 1, mp3s: 3 }, fileBytesMax: 8 * MB, bodyBytesMax: 20 * MB }
let dir = ''
let storage: AudioStorage
let server: Bun.Server<undefined>
/** The result of the last upload. */
let outcome: Upload | unknown

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'nocturne-upload-'))
  storage = folderStorage(dir)
  server = Bun.serve({
    port: 0,
    idleTimeout: 120,
    async fetch(request) {
      try {
        const upload = await receiveUpload({ storage }, request, limits)
        outcome = upload
        return Response.json({ files: upload.files.length })
      } catch (error) {
        outcome = error
        return Response.json(
          { code: error instanceof AppError ? error.code : String(error) },
          { status: 400 },
        )
      }
    },
  })
})
afterAll(async () => {
  await server.stop(true)
  await rm(dir, { recursive: true, force: true })
})

async function send(parts: [name: string, content: string | Uint8Array<ArrayBuffer>, fileName?: string][]) {
  const form = new FormData()
  for (const [name, content, fileName] of parts) {
    if (fileName === undefined) form.append(name, String(content))
    else form.append(name, new Blob([content]), fileName)
  }
  return (await fetch(server.url, { method: 'POST', body: form })).json()
}

async function expectNothingLeft() {
  expect(await readdir(join(dir, 'incoming'))).toEqual([])
}

const random = (bytes: number) => {
  const all = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += 65_536)
    crypto.getRandomValues(all.subarray(at, Math.min(bytes, at + 65_536)))
  return all
}

describe('receiveUpload', () => {
  test('keeps fields and bytes exactly, and file names without their folders', async () => {
    const song = random(3 * MB)
    await send([
      ['voice', 'rachel'],
      ['mp3s', song, 'Die Mondnacht – 月.mp3'],
      ['title', 'The Lamp\r\n--x'],
      ['mp3s', 'small', '../../etc/passwd'],
      ['sheet', '', 'empty.csv'],
    ])
    const { fields, files } = outcome as Upload
    expect(Object.fromEntries(fields)).toEqual({ voice: 'rachel', title: 'The Lamp\r\n--x' })
    expect(files.map(({ field, fileName, sizeBytes }) => [field, fileName, sizeBytes])).toEqual([
      ['mp3s', 'Die Mondnacht – 月.mp3', 3 * MB],
      ['mp3s', 'passwd', 5],
      ['sheet', 'empty.csv', 0],
    ])
    expect(files[0]?.staged.hash).toBe(new Bun.CryptoHasher('sha256').update(song).digest('hex'))
    for (const { staged } of files) await storage.discard(staged)
    await expectNothingLeft()
  })

  const nameless = (content: string) =>
    `--b\r\nContent-Disposition: form-data; name="sheet"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n${content}\r\n--b--\r\n`

  test('ignores a file input that was left empty', async () => {
    const body = nameless('')
    await sendRaw(body)
    expect((outcome as Upload).files).toEqual([])
    await expectNothingLeft()
  })

  test('accepts a file without a name when it has content', async () => {
    const body = nameless('Name,Text')
    await sendRaw(body)
    const { files } = outcome as Upload
    expect(files.map(({ fileName, sizeBytes }) => [fileName, sizeBytes])).toEqual([['', 9]])
    for (const { staged } of files) await storage.discard(staged)
  })
})

describe('upload refused without leaving files', () => {
  const refusals: [what: string, parts: Parameters<typeof send>[0], code: string][] = [
    ['a file that is too large', [['mp3s', new Uint8Array(9 * MB), 'a.mp3']], 'too_large'],
    [
      'more in all than is taken',
      [
        ['mp3s', new Uint8Array(7 * MB), 'a.mp3'],
        ['mp3s', new Uint8Array(7 * MB), 'b.mp3'],
        ['mp3s', new Uint8Array(7 * MB), 'c.mp3'],
      ],
      'too_large',
    ],
    ['more files than are taken', [1, 2, 3, 4].map((each) => ['mp3s', 'x', `${each}.mp3`]), 'too_large'],
    [
      'two sheets',
      [
        ['sheet', 'a', 'a.csv'],
        ['sheet', 'b', 'b.csv'],
      ],
      'too_large',
    ],
    [
      'a file in a field that is not taken',
      [
        ['mp3s', 'x', 'a.mp3'],
        ['__proto__', 'x', 'b.mp3'],
      ],
      'invalid',
    ],
    ['a field longer than is taken', [['title', 'x'.repeat(70_000)]], 'too_large'],
    ['more fields than are taken', Array.from({ length: 60 }, (_, at) => [`f${at}`, 'x']), 'too_large'],
  ]
  for (const [what, parts, code] of refusals) {
    test(what, async () => {
      expect(await send(parts)).toEqual({ code })
      await expectNothingLeft()
    })
  }

  const broken: [what: string, body: string][] = [
    [
      'a body that ends inside of a file',
      '--b\r\nContent-Disposition: form-data; name="mp3s"; filename="a.mp3"\r\n\r\nabc',
    ],
    ['a body without its end', '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\nabc\r\n--b'],
    ['a body of something else', 'hello'],
    ['headers without end', `--b\r\nX-A: ${'x'.repeat(20_000)}`],
  ]
  for (const [what, body] of broken) {
    test(what, async () => {
      await sendRaw(body)
      expect(outcome).toMatchObject({ code: 'unreadable' })
      await expectNothingLeft()
    })
  }

  test('a content type without a boundary', async () => {
    const request = new Request('http://localhost/', {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'multipart/form-data' },
    })
    expect(await rejectionOf(receiveUpload({ storage }, request, limits))).toMatchObject({
      code: 'unreadable',
    })
  })

  test('a sender that disconnects midway', async () => {
    outcome = undefined
    const head = '--b\r\nContent-Disposition: form-data; name="mp3s"; filename="a.mp3"\r\n\r\n'
    const hangUp = openRaw(head + 'x'.repeat(2 * MB), 8 * MB)
    await until(async () => (await readdir(join(dir, 'incoming'))).length > 0)
    hangUp()
    await until(() => outcome !== undefined)
    expect(outcome).toMatchObject({ code: 'unreadable' })
    await expectNothingLeft()
  })
})

test('a fifth concurrent upload is refused with a retry time, and accepted once others have ended', async () => {
  const open = Array.from({ length: uploadsMax }, () => Promise.withResolvers<void>())
  const running = open.map((gate) => receiveUpload({ storage }, slowRequest(gate.promise), limits))
  expect(await rejectionOf(receiveUpload({ storage }, slowRequest(Promise.resolve()), limits))).toMatchObject(
    {
      code: 'unavailable',
      retryAfterSeconds: 10,
    },
  )
  for (const gate of open) gate.resolve()
  for (const { files } of await Promise.all(running))
    for (const { staged } of files) await storage.discard(staged)
  expect(await send([['voice', 'rachel']])).toEqual({ files: 0 })
  await expectNothingLeft()
})

/** A request whose body ends when the test lets it. */
function slowRequest(end: Promise<void>): Request {
  const body = new ReadableStream({
    async start(controller) {
      const encoder = new TextEncoder()
      controller.enqueue(
        encoder.encode('--b\r\nContent-Disposition: form-data; name="mp3s"; filename="a.mp3"\r\n\r\nabc'),
      )
      await end
      controller.enqueue(encoder.encode('\r\n--b--\r\n'))
      controller.close()
    },
  })
  return new Request('http://localhost/', {
    method: 'POST',
    body,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
}

/** Sends a whole raw body, and hangs up once the upload has ended. */
async function sendRaw(body: string): Promise<void> {
  outcome = undefined
  const hangUp = openRaw(body, body.length)
  await until(() => outcome !== undefined)
  hangUp()
}

/** Sends a raw body, or a part of it. Returns a function that hangs up. */
function openRaw(body: string, contentLength: number): () => void {
  const socket = connect(server.port ?? 0, 'localhost', () => {
    socket.write(
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${contentLength}\r\n\r\n${body}`,
    )
  })
  socket.on('error', () => {})
  return () => socket.destroy()
}

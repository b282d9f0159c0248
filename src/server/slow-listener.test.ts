import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from './listen'

const mebibyte = 1024 * 1024
/** More than the kernel buffers for a connection that is read slowly. */
const sizeBytes = 20 * mebibyte
/** Simulates a listener at 100 KB/s, thirty times as fast and with a thirtieth of the time limit. */
const secondBytes = 3 * mebibyte
const idleSeconds = 8
const folder = await mkdtemp(join(tmpdir(), 'nocturne-slow-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Reads an answer at `secondBytes` a second. Resolves with its length. */
function readSlowly(port: number, path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = connect(port, '127.0.0.1')
  let received = 0
  socket.on('data', ({ byteLength }: Buffer) => {
    received += byteLength
    socket.pause()
    setTimeout(() => socket.resume(), (byteLength / secondBytes) * 1_000)
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(received))
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  return promise
}

test('a client that reads slowly receives the whole response despite idle pauses', async () => {
  const path = join(folder, 'audio')
  await writeFile(path, '')
  await truncate(path, sizeBytes)
  const app = {
    fetch: ({ url }: Request) =>
      new Response(url.endsWith('/file') ? Bun.file(path) : new Blob([new Uint8Array(sizeBytes)])),
  }
  const server = listen(app, { port: 0, idleSeconds })
  const lengths = await Promise.all(['/file', '/stream'].map((each) => readSlowly(server.port ?? 0, each)))
  expect(lengths.every((length) => length > sizeBytes)).toBe(true)
  await server.stop(true)
})

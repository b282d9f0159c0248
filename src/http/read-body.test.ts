import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { AppError } from '#src/app-error'
import { rejectionOf } from '#src/testing/rejection'
import { readBytes, statedLength } from './read-body'

test('readBytes throws our own error as it is, not as a disconnected sender', async () => {
  const short = new RangeError('Out of memory')
  const body = new ReadableStream({ pull: (controller) => controller.error(short) })
  const request = new Request('http://localhost/', { method: 'POST', body })
  expect(await readBytes(request, 1_000).catch((error) => error)).toBe(short)
})

/** A server that answers with the code of the error that `readBytes` throws. */
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const error = await readBytes(request, 1_000_000, 0.05).catch((error) => error)
    return new Response(error instanceof AppError ? `${error.code}: ${error.message}` : 'read')
  },
})
afterAll(() => server.stop(true))

test.each([
  ['with a stated length', 'content-length: 500\r\n\r\n{"'],
  ['with a stated length that is read in pieces', 'content-length: 300000\r\n\r\n{"'],
  ['in chunks', 'transfer-encoding: chunked\r\n\r\n2\r\n{"\r\n'],
])('readBytes gives up on a body %s that stalls', async (_, sent) => {
  const answered = Promise.withResolvers<string>()
  const socket = connect(server.port ?? 0, '127.0.0.1')
  socket.on('data', (bytes) => answered.resolve(bytes.toString()))
  socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\n${sent}`)
  expect(await answered.promise).toEndWith('unreadable: The body arrived too slowly. Send it again.')
  socket.destroy()
})

test('readBytes refuses a body that is read in pieces and cut off', async () => {
  const asked = Promise.withResolvers<void>()
  const refused = Promise.withResolvers<unknown>()
  const listening = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      asked.resolve()
      refused.resolve(await readBytes(request, 1_000_000).catch((error) => error))
      return new Response()
    },
  })
  const socket = connect(listening.port ?? 0, '127.0.0.1')
  socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 300000\r\n\r\n${'x'.repeat(10_000)}`)
  await asked.promise
  socket.destroy()
  expect(await refused.promise).toMatchObject({
    code: 'unreadable',
    message: 'The body was cut off. Send it again.',
  })
  await listening.stop(true)
})

test.each([
  ['shorter', 10, 'The body was cut off. Send it again.'],
  ['longer', 300_001, 'The body is longer than its Content-Length. Send it again.'],
])('readBytes refuses a body that is read in pieces and %s than stated', async (_, length, message) => {
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers: { 'content-length': '300000' },
    body: new Blob(['x'.repeat(length)]).stream(),
  })
  expect(await rejectionOf(readBytes(request, 1_000_000))).toMatchObject({ code: 'unreadable', message })
})

test.each(['5, 5', '', '-5', '5.0', '0x5', 'five'])('a Content-Length of “%s” is refused', (stated) => {
  const request = new Request('http://localhost/', { headers: { 'content-length': stated } })
  expect(() => statedLength(request)).toThrow('Content-Length must be one whole number.')
})

import { createServer, type IncomingMessage } from 'node:http'
import type { startTestStore } from './testing-s3'

/**
 * Starts a proxy of a test store that sends whole objects with their length, but pauses after `bytes` of them until
 * `release` is called.
 */
export async function startSlowStore({ settings }: ReturnType<typeof startTestStore>, bytes: number) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const answer = await forward(settings.endpoint, request)
    const body = new Uint8Array(await answer.arrayBuffer())
    const isHeld = request.method === 'GET' && answer.status === 200
    response.writeHead(answer.status, {
      'last-modified': answer.headers.get('last-modified') ?? '',
      'content-length': answer.headers.get('content-length') ?? body.byteLength,
    })
    response.write(body.subarray(0, isHeld ? bytes : body.byteLength))
    if (isHeld) await released
    response.end(body.subarray(isHeld ? bytes : body.byteLength))
  })
  const { promise: listening, resolve: listens } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listens)
  await listening
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    settings: { ...settings, endpoint: `http://127.0.0.1:${port}` },
    release,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function forward(
  endpoint: string,
  { method = 'GET', url = '/', headers }: IncomingMessage,
): Promise<Response> {
  const { authorization = '', range } = headers
  return fetch(endpoint + url, { method, headers: { authorization, ...(range && { range }) } })
}

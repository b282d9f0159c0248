import { once } from 'node:events'
import { createConnection, createServer, type Server, type Socket } from 'node:net'

/**
 * Starts a proxy in front of the test database at `url`. `pass` forwards the server's bytes to a client, or changes
 * them; `onSent` is called with a client's bytes before the server gets them.
 */
export async function openProxy(
  url: string,
  pass: (client: Socket, data: Buffer, connection: number) => void,
  onSent: (data: Buffer) => void = () => {},
) {
  const { searchParams } = new URL(url)
  const path = `${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port') ?? 5432}`
  let connections = 0
  const server = createServer((client) => {
    connections += 1
    const connection = connections
    const upstream = createConnection(path)
    upstream.on('data', (data: Buffer) => pass(client, data, connection))
    client.on('data', (data: Buffer) => {
      onSent(data)
      upstream.write(data)
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.end())
    for (const socket of [client, upstream]) socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  return { port, url: urlAt(url, port), close: () => server.close() }
}

export function portOf(server: Server): number {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

/** Returns the address of the same database through a local port. */
export function urlAt(url: string, port: number): string {
  return `postgres://nocturne@127.0.0.1:${port}${new URL(url).pathname}`
}

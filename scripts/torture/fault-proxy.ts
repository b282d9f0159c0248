import { connect, createServer, type Server, type Socket } from 'node:net'

/** The states of a connection between two programs. */
export type Line =
  | { kind: 'good' }
  /** Delays each piece of data, in both directions. */
  | { kind: 'slow'; delayMs: number }
  /** Accepts data and never answers, like a lost route. */
  | { kind: 'silent' }
  /** Has cut open connections and refuses new ones. */
  | { kind: 'away' }

export type FaultProxy = {
  port: number
  behave(line: Line): void
  /** Cuts every open connection in the middle of its data. */
  cut(): void
  close(): void
}

/** Opens a TCP port that forwards to a port or a Unix socket, over a line that can be degraded. */
export async function openFaultProxy(to: { port: number } | { path: string }): Promise<FaultProxy> {
  let line: Line = { kind: 'good' }
  const pairs = new Set<readonly [Socket, Socket]>()
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  const server = createServer((client) => {
    client.on('error', () => client.destroy())
    if (line.kind === 'away') return void client.destroy()
    const upstream = 'port' in to ? connect(to.port, '127.0.0.1') : connect(to.path)
    const pair = [client, upstream] as const
    pairs.add(pair)
    for (const [from, into] of [pair, [upstream, client] as const]) {
      from.on('data', (bytes: Buffer) => pass(from, into, bytes, line))
      from.on('error', () => from.destroy())
      from.on('close', () => {
        into.destroy()
        pairs.delete(pair)
      })
    }
  })
  await listening(server)
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    behave(next) {
      line = next
      if (next.kind === 'away') cut()
    },
    cut,
    close() {
      cut()
      server.close()
    },
  }
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
}

/** Passes data on in order. Delayed data hold up later data and the sender. */
function pass(from: Socket, into: Socket, bytes: Uint8Array, line: Line): void {
  if (line.kind === 'silent') return
  if (line.kind !== 'slow') return void into.write(bytes)
  from.pause()
  setTimeout(() => {
    if (!into.destroyed) into.write(bytes)
    from.resume()
  }, line.delayMs)
}

import { afterAll } from 'bun:test'
import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import type { Embedded } from '#db/embedded/start'
import { asSuperuser, crash, openPair } from './testing-pair'

type Server = { url: string; port: number; crash(): Promise<void> }

/**
 * Starts a migrated primary and a standby that streams from it, each on a port of this machine, until the test file
 * ends.
 */
export async function startPair(): Promise<{
  primary: Server
  standby: Server & Record<'promote' | 'pause' | 'resume', () => Promise<void>>
}> {
  const pair = await openPair({ fsync: 'off' })
  afterAll(pair.remove)
  const [primary, standby] = [await reach(pair.primary), await reach(pair.standby)]
  return {
    primary,
    standby: {
      ...standby,
      promote: () => asSuperuser(standby.url, 'select pg_promote()'),
      // The primary's later writes arrive but are not replayed.
      pause: () => asSuperuser(standby.url, 'select pg_wal_replay_pause()'),
      resume: () => asSuperuser(standby.url, 'select pg_wal_replay_resume()'),
    },
  }
}

async function reach(embedded: Embedded): Promise<Server> {
  return { url: embedded.url, port: await tunnelTo(embedded.url), crash: () => crash(embedded) }
}

/** Opens a port that leads to a server, because the servers listen on sockets only. */
export async function tunnelTo(url: string): Promise<number> {
  return (await openTunnel(url)).port
}

/**
 * Like `tunnelTo`. `freeze` makes the other end of every existing connection vanish without notice; later connections
 * work.
 */
export async function openTunnel(url: string): Promise<{ port: number; freeze(): void }> {
  const sockets = new Set<Socket>()
  const path = `${new URL(url).searchParams.get('host')}/.s.PGSQL.5432`
  const server = createServer((client) => {
    const upstream = createConnection(path)
    client.pipe(upstream).pipe(client)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    freeze() {
      for (const socket of sockets) socket.unpipe().pause()
    },
  }
}

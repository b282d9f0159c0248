import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '#scripts/debian-package'
import { until } from '#src/testing/until'

/** The path of PgBouncer. If this platform has none, it is null and a warning is printed. */
export const pgBouncer = await findProgram({ program: 'pgbouncer' }, (line) => console.warn(line))

export type Pooler = { url: string; restart(): Promise<void>; stop(): Promise<void> }

/**
 * Starts a PgBouncer in transaction mode in front of the database at `url`, on a socket or a port. It has fewer
 * connections than the program opens, so that two statements of a client rarely get the same one.
 */
export async function openPgBouncer(url: string, settings: Record<string, string> = {}): Promise<Pooler> {
  const { searchParams, username, pathname, hostname, port: ownPort } = new URL(url)
  const sockets = searchParams.get('host')
  const folder = await mkdtemp(join(tmpdir(), 'nocturne-pgbouncer-'))
  const port = await freePort()
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: '3',
    ...settings,
  }
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${sockets ?? hostname} port=${searchParams.get('port') ?? (ownPort || 5432)} user=${username}`,
      '[pgbouncer]',
      ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
    ].join('\n'),
  )
  const start = () => run([pgBouncer ?? '', '-q', file], sockets ?? folder)
  let child = await start()
  await until(() => listens(port))
  const kill = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    async restart() {
      await kill()
      child = await start()
      await until(() => listens(port))
    },
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Runs a command as the user who may open the server's socket. PgBouncer refuses root, as PostgreSQL does
 * (embedded/root.ts).
 */
async function run(command: string[], sockets: string) {
  const isRoot = process.getuid?.() === 0
  const { uid, gid } = await stat(sockets)
  const prefix = isRoot && uid === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : []
  return Bun.spawn([...prefix, ...command], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(isRoot && uid !== 0 && { uid, gid }),
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return address !== null && typeof address === 'object' ? address.port : 0
}

async function listens(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

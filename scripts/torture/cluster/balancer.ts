import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '#scripts/debian-package'
import { until } from '#src/testing/until'

export type Balanced = {
  /** The ports on which HAProxy listens, for the public and for PgBouncer. */
  httpPort: number
  databasePort: number
  /** The ports of the instances. */
  instances: readonly number[]
  /** The socket of each PostgreSQL server, and the port on which its guard reports whether it is the primary. */
  databases: readonly { socket: string; guardPort: number }[]
}

/**
 * Starts HAProxy with the file of docs/deploy. Only what depends on this machine is changed: addresses, no TLS, clients
 * that state their own address, and a port for each PostgreSQL, which itself listens only on a socket.
 */
export async function startBalancer(balanced: Balanced & { directPorts: readonly number[] }): Promise<{
  stop(): Promise<void>
}> {
  const haproxy = await findProgram({ program: 'haproxy' }, (line) => console.warn(line))
  if (!haproxy) throw new Error('HAProxy is not installed.')
  const folder = await mkdtemp(join(tmpdir(), 'nocturne-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  const documented = await readFile(join(import.meta.dir, '../../../docs/deploy/haproxy.cfg'), 'utf8')
  await writeFile(file, configure(documented, balanced) + directLines(balanced))
  const child = Bun.spawn([haproxy, '-db', '-f', file], {
    stdio: ['ignore', 'ignore', Bun.file(join(folder, 'log'))],
  })
  await until(() => child.exitCode !== null || answers(balanced.httpPort))
  if (child.exitCode !== null)
    throw new Error(`HAProxy ended: ${await readFile(join(folder, 'log'), 'utf8')}`)
  return {
    async stop() {
      child.kill('SIGKILL')
      await child.exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the documented file with the addresses of this machine. */
export function configure(
  documented: string,
  { httpPort, databasePort, instances, databases }: Balanced,
): string {
  const servers = instances.map((port, at) => `  server instance-${at} 127.0.0.1:${port}`)
  const primaries = databases.map(
    ({ socket, guardPort }, at) => `  server postgres-${at} unix@${socket} addr 127.0.0.1 port ${guardPort}`,
  )
  return documented
    .replace(/^ {2}maxconn 20000$/m, '  maxconn 2000')
    .replace(/^ {2}bind :80$/m, `  bind 127.0.0.1:${httpPort}`)
    .replace(/^ {2}bind :443 .*\n/m, '')
    .replace(/^ {2}http-request redirect scheme .*\n/m, '')
    .replace(/^ {2}http-request del-header X-Forwarded-For\n/m, '')
    .replace(/^ {2}bind 10\.0\.0\.9:5432$/m, `  bind 127.0.0.1:${databasePort}`)
    .replace(/^ {2}server one 10\.0\.0\.1:3000\n {2}server two .*$/m, servers.join('\n'))
    .replace(/^ {2}server one 10\.0\.0\.10:5432\n {2}server two .*$/m, primaries.join('\n'))
}

function directLines({ databases, directPorts }: Balanced & { directPorts: readonly number[] }): string {
  const listens = databases.map(
    ({ socket }, at) =>
      `\nlisten direct-${at}\n  bind 127.0.0.1:${directPorts[at]}\n  mode tcp\n  option tcplog\n  server one unix@${socket} no-check\n`,
  )
  return listens.join('')
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

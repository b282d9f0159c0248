import postgres from 'postgres'
import { type Host, readDatabaseAddress } from '#src/text/database-address'

/**
 * A postgres.js client for `url`, which may name a Unix socket as libpq does
 * (`postgres://user@localhost/name?host=/folder&port=5432`), and several servers: of those, one that can be written to
 * is looked for with every new connection. postgres.js itself cannot parse either.
 */
export function connect(url: string, options: postgres.Options<Record<string, never>> = {}): postgres.Sql {
  const address = readDatabaseAddress(url)
  if (address === null) throw new Error('This is no address of a PostgreSQL.')
  return postgres(withoutSocket(address.single), {
    connect_timeout: 5,
    // Seconds. The driver's default backs off up to 20 seconds, during which a database that is back would
    // still be reported as away.
    backoff: (failures) => Math.min(2 ** failures / 100, 0.5),
    onnotice: () => {},
    ...oneAtATime,
    ...socketOf(address.single),
    ...hostsOf(address.hosts, address.single),
    ...options,
  })
}

/**
 * One statement at a time on a connection; the others wait for the first that is free. The driver would send them
 * behind statements that are not answered yet (docs/decisions/0030-one-statement-at-a-time.md). Its types do not know
 * the option.
 */
const oneAtATime: object = { max_pipeline: 0 }

/** The driver takes arrays, which its types do not know. */
function hostsOf(hosts: readonly Host[], url: string): object {
  if (hosts.length === 1) return {}
  const isChosen = new URL(url).searchParams.has('target_session_attrs')
  return {
    host: hosts.map(({ name }) => name),
    port: hosts.map(({ port }) => port ?? 5432),
    ...(!isChosen && { target_session_attrs: 'read-write' }),
  }
}

function socketOf(url: string): { path?: string } {
  const { searchParams, port } = new URL(url)
  const folder = searchParams.get('host')
  if (!folder?.startsWith('/')) return {}
  return { path: `${folder}/.s.PGSQL.${searchParams.get('port') ?? (port || '5432')}` }
}

function withoutSocket(url: string): string {
  const plain = new URL(url)
  // postgres.js would send unknown options to the server as settings, which the server rejects.
  plain.searchParams.delete('host')
  plain.searchParams.delete('port')
  return plain.href
}

import postgres from 'postgres'
import { type Host, readDatabaseAddress } from '#src/text/database-address'

/**
 * Creates a postgres.js client for `url`, which may name a Unix socket as in libpq
 * (`postgres://user@localhost/name?host=/folder&port=5432`), and several servers: each new connection then looks for
 * one that accepts writes. postgres.js itself can parse neither.
 */
export function connect(url: string, options: postgres.Options<Record<string, never>> = {}): postgres.Sql {
  const address = readDatabaseAddress(url)
  if (address === null) throw new Error('This is no address of a PostgreSQL.')
  return postgres(withoutSocket(address.single), {
    connect_timeout: 5,
    // Seconds. The driver's default backs off up to 20 seconds, during which a database that is back would still be
    // reported as unavailable.
    backoff: (failures) => Math.min(2 ** failures / 100, 0.5),
    onnotice: () => {},
    ...oneAtATime,
    ...socketOf(address.single),
    ...hostsOf(address.hosts, address.single),
    ...options,
    connection: { ...ourDays, ...options.connection },
  })
}

/**
 * Days are those of UTC. In the zone of the server, arithmetic with days follows its summer time: a day may have 25
 * hours, and in a zone that skips a midnight a series of days ends one day early. PgBouncer passes this setting on.
 */
const ourDays = { TimeZone: 'UTC' }

/**
 * Sends one statement at a time on a connection; other statements wait for the first free connection. By default the
 * driver would pipeline them behind unanswered statements (docs/decisions/0030-one-statement-at-a-time.md). The
 * driver's types do not know this option.
 */
const oneAtATime: object = { max_pipeline: 0 }

/** The driver accepts arrays, which its types do not know. */
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
  // postgres.js would send unknown options to the server as settings, and the server would reject them.
  plain.searchParams.delete('host')
  plain.searchParams.delete('port')
  return plain.href
}

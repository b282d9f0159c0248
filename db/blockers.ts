import type { Sql } from 'postgres'
import { connect } from './connect'

/** SQL that describes a session, from the columns of `pg_stat_activity`. */
export const sessionWords = `concat_ws(', ', nullif(application_name, ''), 'process ' || pid, host(client_addr), nullif(state, 'active'))`

/**
 * Runs `work` on the session of `sql`. While it waits, `onBlocked` is called with the sessions that it waits for,
 * whenever these change. They are known only during the wait, so they are read on a second connection.
 */
export async function watchBlockers<T>(
  url: string,
  sql: Sql,
  onBlocked: (holders: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const [session] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const watcher = connect(url, { max: 1, connection: { application_name: 'nocturne migration' } })
  let [seen, said] = ['', '']
  const look = async () => {
    const [row] = await watcher.unsafe<{ holders: string }[]>(
      `select coalesce(string_agg(distinct ${sessionWords}, '; '), '') as holders
       from pg_stat_activity where pid = any(pg_blocking_pids($1)) and pid <> pg_backend_pid()`,
      [session?.pid ?? 0],
    )
    const holders = row?.holders ?? ''
    // A session that is seen only once was not blocking it for long.
    if (holders !== '' && holders === seen && holders !== said) {
      onBlocked(holders)
      said = holders
    }
    seen = holders
  }
  let looking: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look).catch(() => {})
  }, lookMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await looking
    await watcher.end({ timeout: 5 })
  }
}

/** Milliseconds between looks: often enough to see the holder twice during a lock wait of half a second. */
const lookMs = 100

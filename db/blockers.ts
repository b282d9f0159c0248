import type { Sql } from 'postgres'
import { connect } from './connect'

/** A session in words, as `pg_stat_activity` knows it. */
export const sessionWords = `concat_ws(', ', nullif(application_name, ''), 'process ' || pid, host(client_addr), nullif(state, 'active'))`

/**
 * Runs `work` on the session of `sql` and calls `onBlocked` with those whom it waits for, whenever they are others than
 * before. They are only known while it waits, so a second connection looks.
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
    // Who is seen only once did not hold it up.
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

/** Often enough to see twice who holds a lock that is waited for half a second. */
const lookMs = 100

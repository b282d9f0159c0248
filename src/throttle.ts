import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { Refusal } from '#src/refusal'

export type Limit = { key: string; max: number; windowSeconds: number; message: string }

/**
 * Counts one attempt against each limit, before what is tried is verified, in the database, so that all
 * servers count together. Throws a `throttled` Refusal with the seconds to wait where one is passed.
 * Windows are fixed: the start of the window is `now()` rounded down to its length.
 */
export async function countAttempt(db: Executor, limits: readonly Limit[]): Promise<void> {
  for (const limit of limits) {
    const [row] = await db.execute<{ count: number; wait: number }>(sql`
      insert into throttles (key, window_start, count, expires_at)
      select ${limit.key}, start, 1, start + make_interval(secs => ${limit.windowSeconds} * 2)
      from to_timestamp(floor(extract(epoch from now()) / ${limit.windowSeconds}) * ${limit.windowSeconds}) as start
      on conflict (key, window_start) do update set count = throttles.count + 1
      returning count, ceil(extract(epoch from window_start + make_interval(secs => ${limit.windowSeconds}) - now()))::int as wait`)
    if (row && row.count > limit.max) {
      throw new Refusal('throttled', limit.message, { retryAfterSeconds: Math.max(1, row.wait) })
    }
  }
}

/**
 * Throws `throttled` where a limit is used up already, and counts nothing: a right answer among many guesses
 * must not open either, and one that is used by many calls at once is no guess.
 */
export async function requireAttemptsLeft(db: Executor, limits: readonly Limit[]): Promise<void> {
  for (const limit of limits) {
    const [row] = await db.execute<{ wait: number }>(sql`
      select ceil(extract(epoch from window_start + make_interval(secs => ${limit.windowSeconds}) - now()))::int as wait
      from throttles where key = ${limit.key} and count >= ${limit.max}
        and window_start > now() - make_interval(secs => ${limit.windowSeconds})`)
    if (row) throw new Refusal('throttled', limit.message, { retryAfterSeconds: Math.max(1, row.wait) })
  }
}

/** How many attempts the present window of a limit has counted. */
export async function countUsed(db: Executor, { key, windowSeconds }: Limit): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    select count from throttles where key = ${key}
      and window_start > now() - make_interval(secs => ${windowSeconds})
    order by window_start desc limit 1`)
  return row?.count ?? 0
}

/** Takes attempts back that turned out not to be guesses. */
export async function forgetAttempts(db: Executor, limits: readonly Limit[]): Promise<void> {
  for (const limit of limits) {
    await db.execute(
      sql`update throttles set count = greatest(count - 1, 0) where key = ${limit.key} and expires_at > now()`,
    )
  }
}

/** Removes windows that are over. */
export async function pruneThrottles(db: Executor): Promise<void> {
  await db.execute(sql`delete from throttles where expires_at < now()`)
}

import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { AppError, type AppErrorCode } from '#src/app-error'

export type Limit = {
  key: string
  max: number
  windowSeconds: number
  message: string
  /**
   * The maximum delay in seconds. With a delay, an attempt past `max` is not refused for the rest of the window, but
   * accepted some time after the last accepted one: 2, 4, 8 … seconds. So strangers cannot lock the owner out.
   */
  delaySecondsMax?: number
  /** Counts right guesses too, because of their cost to the server. */
  countsRight?: true
}

/** A counted attempt and its window; `windowStart` is in seconds since 1970. */
export type Counted = { key: string; windowStart: number }

/**
 * Counts one attempt against each limit before the guess is verified. Counts are in the database, so that all servers
 * share them. If a limit is exceeded, throws a `throttled` AppError with the seconds to wait, and no limit counts the
 * attempt. Windows are fixed: a window starts at `now()` rounded down to its length.
 */
export async function consumeRateLimit(db: Executor, limits: readonly Limit[]): Promise<Counted[]> {
  const counted: Counted[] = []
  for (const limit of delaysLast(limits)) {
    const one = await countOne(db, limit)
    if (!one) {
      await refundRateLimit(db, counted)
      throw new AppError('throttled', limit.message, { retryAfterSeconds: await findWait(db, limit) })
    }
    counted.push(one)
  }
  return counted
}

/**
 * Sorts limits with a delay last. When a limit refuses, earlier counts are taken back, but a restarted delay is not. If
 * it came first, a guesser whose address is refused anyway could delay the owner of the account for as long as they
 * went on.
 */
function delaysLast(limits: readonly Limit[]): Limit[] {
  const hasDelay = ({ delaySecondsMax }: Limit) => Number(delaySecondsMax !== undefined)
  return limits.toSorted((a, b) => hasDelay(a) - hasDelay(b))
}

/** Errors that do not mean a wrong guess: the guess was right, or was not verified. */
const noGuess: readonly AppErrorCode[] = ['suspended', 'unavailable']

/**
 * Counts a guess, verifies it, and subtracts the count if it was right, so that only wrong guesses use up a limit.
 * `verify` throws for a wrong guess. Throws what `verify` throws, and `throttled`.
 */
export async function rateLimitGuess<T>(
  db: Executor,
  limits: readonly Limit[],
  verify: () => Promise<T>,
): Promise<T> {
  const counted = await consumeRateLimit(db, limits)
  const guesses = counted.filter(({ key }) => !limits.some((limit) => limit.key === key && limit.countsRight))
  const answer = await verify().catch(async (error) => {
    if (error instanceof AppError && noGuess.includes(error.code)) await refundRateLimit(db, guesses)
    throw error
  })
  await refundRateLimit(db, guesses)
  return answer
}

/** Counts one attempt if the limit allows it, and returns whether it did. */
export async function tryConsumeRateLimit(db: Executor, limit: Limit): Promise<boolean> {
  return (await countOne(db, limit)) !== null
}

async function countOne(db: Executor, limit: Limit): Promise<Counted | null> {
  const { key, max, windowSeconds } = limit
  const [row] = await db.execute<{ windowStart: number }>(sql`
    insert into throttles as known (key, window_start, count, expires_at)
    select ${key}, start, 1, start + make_interval(secs => ${windowSeconds} * 2)
    from ${windowOf(limit)} as start where ${max}::int > 0
    on conflict (key, window_start) do update set count = known.count + 1, taken_at = now()
    where known.count < ${max} or ${dueOf(limit)} <= now()
    returning extract(epoch from window_start)::float8 as "windowStart"`)
  return row ? { key, windowStart: row.windowStart } : null
}

/** The start of the present window. */
function windowOf({ windowSeconds }: Limit): SQL {
  return sql`to_timestamp(floor(extract(epoch from now()) / ${windowSeconds}) * ${windowSeconds})`
}

/** When the next attempt past `max` is accepted: after its delay, or never in this window. */
function dueOf({ max, delaySecondsMax }: Limit): SQL {
  if (delaySecondsMax === undefined) return sql`'infinity'::timestamptz`
  // Twenty doublings are twelve days; more would overflow during a long attack.
  const doubled = sql`power(2, least(known.count - ${max} + 1, 20))`
  return sql`(known.taken_at + make_interval(secs => least(${delaySecondsMax}, ${doubled})))`
}

/** Seconds until a refused attempt would be accepted. */
async function findWait(db: Executor, limit: Limit): Promise<number> {
  const window = windowOf(limit)
  const [row] = await db.execute<{ wait: number }>(sql`
    select ceil(extract(epoch from least(
      ${window} + make_interval(secs => ${limit.windowSeconds}),
      (select ${dueOf(limit)} from throttles as known where key = ${limit.key} and window_start = ${window})
    ) - now()))::int as wait`)
  return Math.max(1, row?.wait ?? 1)
}

/** Returns the number of attempts in the present window of a limit. */
export async function countUsed(db: Executor, { key, windowSeconds }: Limit): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    select count from throttles where key = ${key}
      and window_start > now() - make_interval(secs => ${windowSeconds})
    order by window_start desc limit 1`)
  return row?.count ?? 0
}

/** Lists recently counted keys with a prefix, without the prefix. */
export async function listCounted(db: Executor, prefix: string): Promise<string[]> {
  const rows = await db.execute<{ rest: string }>(sql`
    select distinct substr(key, ${prefix.length + 1}) as rest from throttles
    where starts_with(key, ${prefix}) and count > 0 and expires_at > now() order by 1`)
  return rows.map(({ rest }) => rest)
}

/** Subtracts attempts that turned out not to be guesses from the windows that counted them. */
export async function refundRateLimit(db: Executor, counted: readonly Counted[]): Promise<void> {
  for (const { key, windowStart } of counted) {
    await db.execute(
      sql`update throttles set count = greatest(count - 1, 0) where key = ${key} and window_start = to_timestamp(${windowStart})`,
    )
  }
}

/** Removes windows that have ended. */
export async function pruneRateLimits(db: Executor): Promise<void> {
  await db.execute(sql`delete from throttles where expires_at < now()`)
}

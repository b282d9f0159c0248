import { LRUCache } from 'lru-cache'

/** Answers older than this many times `freshMs` are no longer given. */
const staleFactor = 10

type Load<Result> = () => Promise<Result>
type Limits = { freshMs: number; entriesMax: number; now?: () => number }
type Renewal<Result> = { isSame?: (before: Result, now: Result) => boolean }

/**
 * Stale-while-revalidate cache of at most `entriesMax` answers. One older than `freshMs` is still given, while a new
 * one is loaded for those who come next, one at a time; one older than ten times that is not. Asked for by many at
 * once, it is loaded once; a failure is not cached. `preload` loads before anybody asks. Where a new answer is the
 * same as the old one (`isSame`), the old one stays, and what is cached by it. `now` is a clock in milliseconds.
 */
export function staleWhileRevalidate<Result extends object | number>({
  freshMs,
  entriesMax,
  now,
  isSame = () => false,
}: Limits & Renewal<Result>) {
  /** Refreshes run one after the other: entries that were made together expire together. */
  let line: Promise<unknown> = Promise.resolve()
  const answers = new LRUCache<string, Result, Load<Result>>({
    max: entriesMax,
    ttl: freshMs,
    ...(now && { perf: { now }, ttlResolution: 0 }),
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
    fetchMethod(_key, stale, { context: load }) {
      if (stale === undefined) return load()
      const renewal = line.then(load).then((answer) => (isSame(stale, answer) ? stale : answer))
      line = renewal.catch(() => {})
      return renewal
    },
  })
  const ageMsOf = (key: string) => freshMs - answers.getRemainingTTL(key)

  function give(key: string, load: Load<Result>): Promise<Result> {
    const answer = answers.forceFetch(key, {
      context: load,
      allowStale: ageMsOf(key) <= staleFactor * freshMs,
    })
    // A caller may have failed elsewhere and no longer await this: a handler prevents an unhandled rejection,
    // which ends the program.
    answer.catch(() => {})
    return answer
  }

  /** Loads missing answers or those older than `ageMsMax`, and waits for them; the old one is returned meanwhile. */
  async function preload(key: string, ageMsMax: number, load: Load<Result>): Promise<void> {
    const isMissing = answers.peek(key, { allowStale: true }) === undefined
    if (isMissing || ageMsOf(key) >= ageMsMax)
      await answers.forceFetch(key, { context: load, forceRefresh: true })
  }

  return Object.assign(give, { preload })
}

/**
 * A cache of at most `entriesMax` counts that end beyond `countMax`: one that has ended is given for `freshMs` without
 * counting again, since that takes longer than all else of a page. A smaller one is counted each time, so it is exact.
 * `now` is a clock in milliseconds.
 */
export function cacheEndedCounts({ countMax, freshMs, entriesMax, now }: Limits & { countMax: number }) {
  const ended = new LRUCache<string, number>({
    max: entriesMax,
    ttl: freshMs,
    ...(now && { perf: { now }, ttlResolution: 0 }),
  })
  return async (key: string, load: Load<number>): Promise<number> => {
    const known = ended.get(key)
    if (known !== undefined) return known
    const count = await load()
    if (count > countMax) ended.set(key, count)
    return count
  }
}

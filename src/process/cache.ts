import { LRUCache } from 'lru-cache'

/** Results older than this many times `freshMs` are no longer returned. */
const staleFactor = 10

type Load<Result> = () => Promise<Result>
type Limits = { freshMs: number; entriesMax: number; now?: () => number }
type Renewal<Result> = { isSame?: (before: Result, now: Result) => boolean }

/**
 * Stale-while-revalidate cache of at most `entriesMax` results. A result older than `freshMs` is still returned while a
 * new one is loaded for later calls, one at a time; a result older than ten times that is not. Concurrent calls for a
 * missing result load it once; a failure is not cached. `preload` loads before the first call. If a new result is the
 * same as the old one (`isSame`), the old object stays, and so do caches keyed by it. `now` is a clock in milliseconds.
 */
export function staleWhileRevalidate<Result extends object | number>({
  freshMs,
  entriesMax,
  now,
  isSame = () => false,
}: Limits & Renewal<Result>) {
  /** Refreshes run one after the other, since entries created together expire together. */
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
    // A caller that has failed elsewhere may no longer await this. The handler prevents an unhandled rejection, which
    // would end the process.
    answer.catch(() => {})
    return answer
  }

  /**
   * Loads a result that is missing or older than `ageMsMax`, and waits for it. Other calls get the old one meanwhile.
   */
  async function preload(key: string, ageMsMax: number, load: Load<Result>): Promise<void> {
    const isMissing = answers.peek(key, { allowStale: true }) === undefined
    if (isMissing || ageMsOf(key) >= ageMsMax)
      await answers.forceFetch(key, { context: load, forceRefresh: true })
  }

  return Object.assign(give, { preload })
}

/**
 * Cache of at most `entriesMax` counts that stop beyond `countMax`. A count that has stopped is cached for `freshMs`,
 * since counting that far takes longer than the rest of a page. A smaller count is not cached, so it is exact. `now` is
 * a clock in milliseconds.
 */
export function cacheLargeCounts({ countMax, freshMs, entriesMax, now }: Limits & { countMax: number }) {
  const large = new LRUCache<string, number>({
    max: entriesMax,
    ttl: freshMs,
    ...(now && { perf: { now }, ttlResolution: 0 }),
  })
  return async (key: string, load: Load<number>): Promise<number> => {
    const known = large.get(key)
    if (known !== undefined) return known
    const count = await load()
    if (count > countMax) large.set(key, count)
    return count
  }
}

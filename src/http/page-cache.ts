import { LRUCache } from 'lru-cache'
import { chooseEncoding, compress, type Encoding } from './encoding'
import { requestIdHeader } from './headers'

/**
 * How long a visitor's page may be cached. Changes by other processes (the CLI) are visible after this at the
 * latest.
 */
const cachedMs = 1_000
const pagesMax = 500

type Bytes = Uint8Array<ArrayBuffer>
type Encoded = { body: Bytes; headers: Headers }
type CachedPage = { html: Bytes; headers: Headers; encoded: Partial<Record<Encoding, Promise<Encoded>>> }
type Made = { response: Response; isCacheable: boolean }

/**
 * Pages that are the same for every visitor, held compressed in memory for a second: a finished page is twenty times
 * faster than one rendered. Asked for by many at once, a page is made once. `now` is a clock in milliseconds.
 */
export function createPageCache(now: () => number = performance.now.bind(performance)) {
  const limits = { max: pagesMax, ttl: cachedMs, ttlResolution: 0, perf: { now } }
  const pages = new LRUCache<string, Promise<CachedPage | null>>(limits)
  /** Answers by identical request: found before anything of the request is parsed. */
  const answers = new LRUCache<string, Encoded>(limits)
  return {
    /** The cached answer to an identical request, under the new request's `id`; null where there is none. */
    recall(request: Request, id: string): Response | null {
      const encoded = answers.get(exactKeyOf(request))
      if (!encoded) return null
      // The cached headers are changed, since they are copied anyway: changing those of a response costs 0.5
      // µs (measured).
      encoded.headers.set(requestIdHeader, id)
      return new Response(encoded.body, { headers: encoded.headers })
    },
    /**
     * The page of `key` in the best encoding that the request accepts; `make` makes it, without an encoding, where
     * it is not cached. An answer of `make` that is not cacheable goes to the first request alone, and the other
     * requests make their own.
     */
    async answer(request: Request, key: string, make: () => Promise<Made>): Promise<Response> {
      let own: Response | null = null
      const makeOnce = async () => {
        const { response, isCacheable } = await make()
        if (isCacheable)
          return {
            html: new Uint8Array(await response.arrayBuffer()),
            headers: response.headers,
            encoded: {},
          }
        own = response
        return null
      }
      const page = await (pages.get(key) ?? remember(key, makeOnce()))
      if (!page) return own ?? (await make()).response
      const encoded = await encodedOnce(page, chooseEncoding(request.headers.get('accept-encoding')))
      // The answer expires together with the page.
      const start = pages.getRemainingTTL(key) - cachedMs + now()
      answers.set(exactKeyOf(request), encoded, { start })
      return new Response(encoded.body, { headers: encoded.headers })
    },
    /** Clears the cache, after a change to the library. */
    clear(): void {
      pages.clear()
      answers.clear()
    },
  }

  function remember(key: string, page: Promise<CachedPage | null>): Promise<CachedPage | null> {
    pages.set(key, page)
    const forget = () => pages.peek(key) === page && pages.delete(key)
    page.then((made) => made ?? forget(), forget)
    return page
  }
}

/**
 * The cache key of a request: everything that its answer depends on. Bearer tokens and crawlers have keys of their own.
 */
function exactKeyOf({ method, url, headers }: Request): string {
  const sent = `${headers.get('host')} ${headers.get('accept-encoding')}\n${headers.get('cookie')}`
  return `${method} ${url}\n${sent}\n${headers.get('authorization')}\n${headers.get('user-agent')}`
}

/** The page in an encoding, compressed at most once, with its headers made ready. */
function encodedOnce(page: CachedPage, encoding: Encoding): Promise<Encoded> {
  page.encoded[encoding] ??= encode(page, encoding)
  return page.encoded[encoding]
}

async function encode({ html, headers }: CachedPage, encoding: Encoding): Promise<Encoded> {
  const encodedHeaders = new Headers(headers)
  if (encoding !== 'identity') encodedHeaders.set('content-encoding', encoding)
  return { body: await compress(html, encoding), headers: encodedHeaders }
}

import { LRUCache } from 'lru-cache'
import { chooseEncoding, compress, type Encoding } from './encoding'
import { requestIdHeader } from './headers'

/**
 * How long a visitor's page is cached, in milliseconds: the longest that a change by another process (the CLI) stays
 * unseen.
 */
const cachedMs = 1_000
const pagesMax = 500

type Bytes = Uint8Array<ArrayBuffer>
type Encoded = { body: Bytes; headers: Headers }
type CachedPage = { html: Bytes; headers: Headers; encoded: Partial<Record<Encoding, Promise<Encoded>>> }
type Made = { response: Response; isCacheable: boolean }

/**
 * Memory cache of the pages that are the same for every visitor, compressed, for a second. A cached page is twenty
 * times faster than a rendered one. Concurrent requests for a page render it once. `now` is a clock in milliseconds.
 */
export function createPageCache(now: () => number = performance.now.bind(performance)) {
  const limits = { max: pagesMax, ttl: cachedMs, ttlResolution: 0, perf: { now } }
  const pages = new LRUCache<string, Promise<CachedPage | null>>(limits)
  /** Responses by identical request, found before any of the request is parsed. */
  const answers = new LRUCache<string, Encoded>(limits)
  return {
    /** The cached response to an identical request, with the new request's `id`; null if there is none. */
    recall(request: Request, id: string): Response | null {
      const encoded = answers.get(exactKeyOf(request))
      if (!encoded) return null
      // The cached headers are changed before they are copied: changing those of a response costs 0.5 µs (measured).
      encoded.headers.set(requestIdHeader, id)
      return new Response(encoded.body, { headers: encoded.headers })
    },
    /**
     * The page of `key` in the best encoding that the request accepts. On a miss `make` renders it, unencoded. A result
     * that is not cacheable answers the first request alone, and concurrent requests make their own.
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
      // The response expires together with the page.
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
 * The cache key of a request: everything that its response depends on. Bearer tokens and crawlers have separate keys.
 */
function exactKeyOf({ method, url, headers }: Request): string {
  const sent = `${headers.get('host')} ${headers.get('accept-encoding')}\n${headers.get('cookie')}`
  return `${method} ${url}\n${sent}\n${headers.get('authorization')}\n${headers.get('user-agent')}`
}

/** The page in an encoding, compressed at most once, with its headers. */
function encodedOnce(page: CachedPage, encoding: Encoding): Promise<Encoded> {
  page.encoded[encoding] ??= encode(page, encoding)
  return page.encoded[encoding]
}

async function encode({ html, headers }: CachedPage, encoding: Encoding): Promise<Encoded> {
  const encodedHeaders = new Headers(headers)
  if (encoding !== 'identity') encodedHeaders.set('content-encoding', encoding)
  return { body: await compress(html, encoding), headers: encodedHeaders }
}

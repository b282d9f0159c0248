import { isCrawler } from '#src/http/visitor'

/** As long as the page cache keeps a page. */
const hotMs = 1_000
const hotMax = 500

type Hot = { until: number; body: Uint8Array<ArrayBuffer>; headers: Headers }

/**
 * Whole answers for requests that are the same to the letter (address, cookies, encodings): found before
 * anything of the request is read. What is in here has passed every step of the pipeline within the second.
 */
export function createHotPages() {
  const answers = new Map<string, Hot>()
  return {
    clear: () => answers.clear(),
    find(request: Request): Response | null {
      if (request.method !== 'GET') return null
      const hot = answers.get(keyOf(request))
      if (!hot || hot.until < performance.now() || isElse(request)) return null
      return new Response(hot.body, { headers: hot.headers })
    },
    keep(request: Request, body: Uint8Array<ArrayBuffer>, headers: Headers): void {
      if (request.method !== 'GET' || isElse(request)) return
      answers.set(keyOf(request), { until: performance.now() + hotMs, body, headers })
      if (answers.size > hotMax) answers.delete(answers.keys().next().value ?? '')
    },
  }
}
export type HotPages = ReturnType<typeof createHotPages>

function keyOf({ url, headers }: Request): string {
  return `${headers.get('host')} ${url}\n${headers.get('cookie') ?? ''}\n${headers.get('accept-encoding') ?? ''}`
}

/** Scripts with a token and machines that read along see pages of their own. */
function isElse(request: Request): boolean {
  return request.headers.has('authorization') || isCrawler(request)
}

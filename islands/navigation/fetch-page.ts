import { parsePage } from '#islands/navigation/parse-page'
import { isAnothers } from '#islands/runtime/browser-storage'
import { frameEnd } from '#src/ui/awaited-marks'

/**
 * A fetched page, its final address, and when it was requested (performance.now()). `whole` resolves to the complete
 * markup if `page` is only the frame of a page that is still streaming.
 */
export type FoundPage = { page: Document; url: URL; askedAt: number; whole?: Promise<string> }

/**
 * Fetches and parses a page. Returns null if it is not an HTML page of this build for the same member: then the browser
 * has to load the address itself.
 */
export async function fetchPage(url: URL, signal?: AbortSignal): Promise<FoundPage | null> {
  const askedAt = performance.now()
  const response = await fetch(url, { signal, headers: { accept: 'text/html' } })
  if (!response.headers.get('content-type')?.startsWith('text/html')) return null
  const { markup, whole } = await readMarkup(response)
  const page = parsePage(markup)
  if (buildOf(page) !== buildOf(document) || isAnothers(page)) return null
  const finalUrl = new URL(response.url)
  finalUrl.hash = url.hash
  return { page, url: finalUrl, askedAt, whole }
}

/** How long to wait after the frame: a page that is complete by then is swapped in once instead of twice. */
const frameMs = 100

/** Reads a page to its end, or to the end of its frame if the rest takes longer (src/ui/awaited.tsx). */
function readMarkup({ body }: Response): Promise<{ markup: string; whole?: Promise<string> }> {
  return new Promise((resolve, reject) => {
    let markup = ''
    const write = (piece: string) => {
      markup += piece
      const frame = markup
      if (frame.endsWith(frameEnd)) setTimeout(() => resolve({ markup: frame, whole }), frameMs)
    }
    const whole = Promise.resolve(
      body?.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write })),
    ).then(() => markup)
    whole.then(() => resolve({ markup }), reject)
  })
}

function buildOf(page: Document): string | undefined {
  return page.querySelector<HTMLMetaElement>('meta[name=nocturne-build]')?.content
}

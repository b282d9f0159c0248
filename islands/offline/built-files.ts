import { urls } from '#src/urls'

/** Prefix of the cache of the build's files, the offline page and the neutral page. It holds no personal data. */
const prefix = 'nocturne-'

type Files = { build: string; page: string; discreetPage: string; assets: readonly string[] }

/** Fetches the files that the worker needs. If one of them fails, the worker is not installed. */
export async function installFiles({ build, page, discreetPage, assets }: Files): Promise<void> {
  const cache = await caches.open(prefix + build)
  const pages = [page, discreetPage, urls.leave()].map(
    (each) => new Request(each, { credentials: 'omit', cache: 'reload' }),
  )
  await cache.addAll([...assets, ...pages])
}

/** Deletes the caches of other builds, once this worker is active and no page of an earlier build is open. */
export async function dropOtherBuilds({ build }: Files): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== prefix + build)
  await Promise.all(others.map((name) => caches.delete(name)))
}

/**
 * Answers a request for a hashed file or the neutral page from the cache. A hashed file never changes, and the neutral
 * page must appear at once. Files are cached when a page first requests them.
 */
export async function answerAsset(request: Request, { build }: Files): Promise<Response> {
  const cached = await caches.match(request, { ignoreVary: true })
  if (cached) return cached
  const answer = await fetch(request)
  if (answer.status === 200) {
    const copy = answer.clone()
    // Not awaited: a full disk must not delay or prevent the response.
    void caches
      .open(prefix + build)
      .then((cache) => cache.put(request, copy))
      .catch(() => {})
  }
  return answer
}

/** `owner` is the member at this browser. It is null if that must not be revealed; the page lists nothing then. */
export type Shown = { owner: string | null; isDiscreet: boolean }

/** Returns the offline page, to be shown under the requested address. */
export async function offlinePage(
  { page, discreetPage }: Files,
  { owner, isDiscreet }: Shown,
): Promise<Response> {
  const cached = await caches.match(isDiscreet ? discreetPage : page, { ignoreVary: true })
  if (!cached) return Response.error()
  const html = (await cached.text()).replace('data-owner=""', owner === null ? '' : `data-owner="${owner}"`)
  const headers = new Headers(cached.headers)
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  return new Response(html, { headers })
}

import { urls } from '#src/urls'

/** The cache of the build's files, of the page without a network and of the neutral page: it holds no personal data. */
const prefix = 'nocturne-'

type Files = { build: string; page: string; discreetPage: string; assets: readonly string[] }

/** Fetches the files that the worker needs before it may serve: all of them, or the worker is not installed. */
export async function installFiles({ build, page, discreetPage, assets }: Files): Promise<void> {
  const cache = await caches.open(prefix + build)
  const pages = [page, discreetPage, urls.leave()].map(
    (each) => new Request(each, { credentials: 'omit', cache: 'reload' }),
  )
  await cache.addAll([...assets, ...pages])
}

/** This worker is active: no page of an earlier build is open. */
export async function dropOtherBuilds({ build }: Files): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== prefix + build)
  await Promise.all(others.map((name) => caches.delete(name)))
}

/**
 * A hashed file never changes, so a cached one is right, and so is the neutral page, which must come at once. Files are
 * cached when a page first requests them.
 */
export async function answerAsset(request: Request, { build }: Files): Promise<Response> {
  const cached = await caches.match(request, { ignoreVary: true })
  if (cached) return cached
  const answer = await fetch(request)
  if (answer.status === 200) {
    const copy = answer.clone()
    // A full disk must not delay or prevent the answer.
    void caches
      .open(prefix + build)
      .then((cache) => cache.put(request, copy))
      .catch(() => {})
  }
  return answer
}

/** `owner` is the member at this browser; null where that must not be revealed, and the page lists nothing. */
export type Shown = { owner: string | null; isDiscreet: boolean }

/** The page for those without a network, under the requested address. */
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

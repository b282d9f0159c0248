/** The files of a build, and the page for those without a network: nothing of a person is among them. */
const prefix = 'nocturne-'

type Files = { build: string; page: string; discreetPage: string; assets: readonly string[] }

/** Fetches what has to be there before the worker may serve: all of it, or the worker is not installed. */
export async function installFiles({ build, page, discreetPage, assets }: Files): Promise<void> {
  const cache = await caches.open(prefix + build)
  const pages = [page, discreetPage].map(
    (each) => new Request(each, { credentials: 'omit', cache: 'reload' }),
  )
  await cache.addAll([...assets, ...pages])
}

/** This worker has taken over: no page of an earlier build is left. */
export async function dropOtherBuilds({ build }: Files): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== prefix + build)
  await Promise.all(others.map((name) => caches.delete(name)))
}

/** A hashed file never changes, so what is kept is right. What a page asks for first is kept for the next time. */
export async function answerAsset(request: Request, { build }: Files): Promise<Response> {
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.status === 200) {
    const copy = answer.clone()
    // A full disk is no reason to answer later, or not at all.
    void caches
      .open(prefix + build)
      .then((cache) => cache.put(request, copy))
      .catch(() => {})
  }
  return answer
}

/** `owner` is whose browser it is; null where that is not to be told, and the page lists nothing. */
export type Shown = { owner: string | null; isDiscreet: boolean }

/** The page for those without a network, under the address that was asked for. */
export async function offlinePage(
  { page, discreetPage }: Files,
  { owner, isDiscreet }: Shown,
): Promise<Response> {
  const kept = await caches.match(isDiscreet ? discreetPage : page, { ignoreVary: true })
  if (!kept) return Response.error()
  const html = (await kept.text()).replace('data-owner=""', owner === null ? '' : `data-owner="${owner}"`)
  const headers = new Headers(kept.headers)
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  return new Response(html, { headers })
}

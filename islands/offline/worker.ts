import {
  answerAsset,
  dropOtherBuilds,
  installFiles,
  offlinePage,
  type Shown,
} from '#islands/offline/built-files'
import { choosePreload } from '#islands/offline/navigation-preload'
import { dropSubscription, openNotice, renewSubscription, showNotice } from '#islands/offline/notice'
import { renewCopies } from '#islands/offline/renew'
import { answerAudio } from '#islands/offline/saved-audio'
import {
  changeOwner,
  findOfflineItem,
  listOfflineItems,
  openStore,
  readOwner,
  renewOfflineItems,
} from '#islands/offline/store'
import type { FetchEvent, WorkerScope } from '#islands/offline/worker-scope'
import { api } from '#islands/runtime/api'
import { ApiError } from '#islands/runtime/api-error'
import { checkMinutes } from '#src/offline/rules'
import { coverFolder, readCoverSeed } from '#src/text/cover-seed'
import { drawCover } from '#src/ui/cover/art'
import { urls } from '#src/urls'

/**
 * The service worker. It caches the files of the build and a page without personal data. It serves the items that a
 * member has saved: narrations always, text and timings when there is no network. It never caches a page or an API
 * response. It shows notifications, which never contain content.
 */
declare const self: WorkerScope
const scope = self
const files = scope.workerFiles

scope.addEventListener('install', (event) => event.waitUntil(installFiles(files)))
scope.addEventListener('activate', (event) => event.waitUntil(activate()))
scope.addEventListener('message', (event) => {
  const { owner, isQuiet, ...shown } = readMessage(event.data)
  event.waitUntil(storeShown(shown))
  if (owner !== null) {
    event.waitUntil(meet(owner))
    // A page that was loading when the worker was activated could not be claimed then.
    event.waitUntil(scope.clients.claim())
  }
  if (isQuiet) event.waitUntil(takeOver())
})
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== scope.location.origin) return
  if (request.method === 'POST') {
    // The sign-out form is sent when the session has ended (islands/member/sign-out.ts). Everything of the member is
    // deleted, whether or not the server receives the form.
    if (url.pathname === urls.signOut()) event.waitUntil(signOut(request.clone()))
    return
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return
  if (url.pathname.startsWith('/assets/') || url.pathname === urls.leave())
    return event.respondWith(answerAsset(request, files))
  if (url.pathname.startsWith(coverFolder)) return event.respondWith(answerCover(request, url))
  const [, id = '', part = ''] =
    /^\/api\/(?:premium-audio|content)\/([\w-]+)(\/.*)?$/.exec(url.pathname) ?? []
  if (id) return event.respondWith(answerItem(request, url, id, part))
  if (!url.pathname.startsWith('/api/') && isForPage(request)) event.respondWith(answerPage(event))
})
scope.addEventListener('push', (event) => event.waitUntil(showNotice(scope, event.data)))
scope.addEventListener('notificationclick', (event) => event.waitUntil(openNotice(scope, event.notification)))
scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(scope)))

async function activate(): Promise<void> {
  await dropOtherBuilds(files)
  await choosePreload(scope.registration.navigationPreload, navigator.userAgent)
  await scope.clients.claim()
}

/**
 * Activates a waiting worker if this is the only page. With other pages open it waits, because one of them may be
 * playing.
 */
async function takeOver(): Promise<void> {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.length <= 1) await scope.skipWaiting()
}

/**
 * Handles the owner that each page reports. Items of other members are deleted; the owner's are checked with the server
 * from time to time.
 */
async function meet(owner: string): Promise<void> {
  const before = await readOwner()
  if (before !== owner) {
    // Push messages to the previous member may still be in transit to this browser.
    if (before) await forget()
    if (owner) await changeOwner(owner)
  }
  const store = await openStore()
  const checkedAt = Number((await store.get('state', 'askedAt')) ?? 0)
  const items = await listOfflineItems(owner)
  if (items.length === 0 || Math.abs(Date.now() - checkedAt) < checkMinutes * 60_000) return
  const ids = items.map(({ id }) => id)
  const answer = await api('POST /api/user/offline', { body: { ids } }).catch((error) => {
    if (error instanceof ApiError && error.status === 401) return forget()
  })
  if (!answer) return
  await renewOfflineItems(owner, answer.allowed)
  await store.put('state', Date.now(), 'askedAt')
  await renewCopies(owner, answer.versions)
}

/** Deletes the data of the member that the form names, unless another member has signed in since. */
async function signOut(request: Request): Promise<void> {
  const [form, owner] = await Promise.all([request.formData(), readOwner()])
  if (owner === '' || owner === (form.get('owner') ?? owner)) await forget()
}

/** Deletes everything, because nobody is signed in any longer. */
async function forget(): Promise<void> {
  await Promise.all([changeOwner(''), dropSubscription(scope)])
}

async function answerItem(request: Request, url: URL, id: string, part: string): Promise<Response> {
  const saved = await readOwner()
    .then((owner) => findOfflineItem(owner, id))
    .catch(() => null)
  if (!saved) return fetch(request)
  if (saved.audio && part === `/${saved.audio.voice}` && url.pathname.startsWith('/api/premium-audio/'))
    return answerAudio(saved, request)
  try {
    return await fetch(request)
  } catch (error) {
    if (part.endsWith('/timings') && saved.timings) return Response.json(saved.timings)
    if (part === '' && url.pathname === urls.apiItem(id)) return Response.json(saved.item)
    throw error
  }
}

/** Answers a request for a cover. Without a network the cover is drawn here. */
async function answerCover(request: Request, url: URL): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const seed = readCoverSeed(url.pathname.slice(coverFolder.length))
    if (seed === null) throw error
    return new Response(drawCover(seed), { headers: { 'content-type': 'image/svg+xml' } })
  }
}

function isForPage(request: Request): boolean {
  return request.mode === 'navigate' || request.headers.get('accept')?.startsWith('text/html') === true
}

async function answerPage(event: FetchEvent): Promise<Response> {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch (error) {
    // The page itself has aborted the request and needs no response.
    if (event.request.signal.aborted) throw error
    return offlinePage(files, await findShown().catch(() => ({ owner: '', isDiscreet: false })))
  }
}

/** Returns the member whose items the offline page lists. None if there is a PIN, which only the server can check. */
async function findShown(): Promise<Shown> {
  const store = await openStore()
  const [hasPin, isDiscreet] = await Promise.all([
    store.get('state', 'hasPin'),
    store.get('state', 'isDiscreet'),
  ])
  return { owner: hasPin ? null : await readOwner(), isDiscreet: isDiscreet === true }
}

type PageState = { isDiscreet: boolean | null; hasPin: boolean | null }

/** Stores how the last page was shown, so that the offline page reveals no more. What is null stays as it is. */
async function storeShown(shown: PageState): Promise<void> {
  const store = await openStore()
  for (const name of ['isDiscreet', 'hasPin'] as const) {
    const value = shown[name]
    if (value !== null) await store.put('state', value, name)
  }
}

/**
 * Parses a page's message, the data of its body. `isDiscreet` is null if the message has another source. `hasPin` is
 * null unless the page says so: an error page and the offline page behind a PIN do not know.
 */
function readMessage(data: unknown): PageState & { owner: string | null; isQuiet: boolean } {
  if (typeof data !== 'object' || data === null)
    return { owner: null, isDiscreet: null, hasPin: null, isQuiet: false }
  const owner = 'owner' in data && typeof data.owner === 'string' ? data.owner : null
  return {
    owner,
    isDiscreet: 'frame' in data ? 'discreet' in data : null,
    hasPin: 'pin' in data || (owner === null ? null : false),
    isQuiet: 'isQuiet' in data && data.isQuiet === true,
  }
}

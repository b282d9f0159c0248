import {
  answerAsset,
  dropOtherBuilds,
  installFiles,
  offlinePage,
  type Shown,
} from '#islands/offline/built-files'
import { answerAudio } from '#islands/offline/kept-audio'
import { dropSubscription, openNotice, renewSubscription, showNotice } from '#islands/offline/notice'
import { renewCopies } from '#islands/offline/renew'
import { changeOwner, findKept, listKept, openStore, readOwner, renewKept } from '#islands/offline/store'
import type { FetchEvent, WorkerScope } from '#islands/offline/worker-scope'
import { askAgainMinutes } from '#src/offline/rules'
import { urls } from '#src/urls'

/**
 * The service worker. It keeps the files of the build and a page that is nobody's, and answers from what a
 * member has kept: narrations always, text and timings where the network is away. No page and no answer of the
 * API is ever put into a cache by it. And it shows notifications, which say that something waits and never what.
 */
declare const self: WorkerScope
const scope = self
const files = scope.workerFiles

scope.addEventListener('install', (event) => event.waitUntil(installFiles(files)))
scope.addEventListener('activate', (event) => event.waitUntil(activate()))
scope.addEventListener('message', (event) => {
  const { owner, isDiscreet, isQuiet } = readMessage(event.data)
  if (isDiscreet !== null) event.waitUntil(keepDiscretion(isDiscreet))
  if (owner !== null) event.waitUntil(meet(owner))
  if (isQuiet) event.waitUntil(takeOver())
})
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== scope.location.origin) return
  if (request.method === 'POST') {
    // Whoever goes leaves nothing, whether or not the server hears of it.
    if (url.pathname === urls.signOut() || url.pathname === urls.apiAuth('logout')) event.waitUntil(forget())
    return
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return
  if (url.pathname.startsWith('/assets/')) return event.respondWith(answerAsset(request, files))
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
  await scope.registration.navigationPreload?.enable()
  await scope.clients.claim()
}

/** A new worker waits while anything plays: the last page that is opened, and is silent, lets it in. */
async function takeOver(): Promise<void> {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.length <= 1) await scope.skipWaiting()
}

/** A page says whose it is. What is another's goes; what is this one's is asked about now and then. */
async function meet(owner: string): Promise<void> {
  if ((await readOwner()) !== owner) await (owner ? changeOwner(owner) : forget())
  const store = await openStore()
  const askedAt = Number((await store.get('state', 'askedAt')) ?? 0)
  const kept = await listKept(owner)
  if (kept.length === 0 || Math.abs(Date.now() - askedAt) < askAgainMinutes * 60_000) return
  const answer = await fetch(urls.apiOffline(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ ids: kept.map(({ id }) => id) }),
  }).catch(() => null)
  if (answer?.status === 401) return forget()
  if (!answer?.ok) return
  const answered: unknown = await answer.json()
  await renewKept(owner, readAllowed(answered))
  await store.put('state', hasPin(answered), 'hasPin')
  await store.put('state', Date.now(), 'askedAt')
  await renewCopies(owner, readVersions(answered))
}

/** Nobody is signed in any longer. */
async function forget(): Promise<void> {
  await Promise.all([changeOwner(''), dropSubscription(scope)])
}

async function answerItem(request: Request, url: URL, id: string, part: string): Promise<Response> {
  const kept = await readOwner()
    .then((owner) => findKept(owner, id))
    .catch(() => null)
  if (!kept) return fetch(request)
  if (kept.audio && part === `/${kept.audio.voice}` && url.pathname.startsWith('/api/premium-audio/'))
    return answerAudio(kept, request)
  try {
    return await fetch(request)
  } catch (error) {
    if (part.endsWith('/timings') && kept.timings) return Response.json(kept.timings)
    if (part === '' && url.pathname === urls.apiItem(id)) return Response.json(kept.item)
    throw error
  }
}

function isForPage(request: Request): boolean {
  return request.mode === 'navigate' || request.headers.get('accept')?.startsWith('text/html') === true
}

async function answerPage(event: FetchEvent): Promise<Response> {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch (error) {
    // Given up by the page itself: nobody waits for an answer.
    if (event.request.signal.aborted) throw error
    return offlinePage(files, await findShown().catch(() => ({ owner: '', isDiscreet: false })))
  }
}

/** What the page without a network shows: nobody's items where only the server could ask for the PIN. */
async function findShown(): Promise<Shown> {
  const store = await openStore()
  const [hasPin, isDiscreet] = await Promise.all([
    store.get('state', 'hasPin'),
    store.get('state', 'isDiscreet'),
  ])
  return { owner: hasPin ? null : await readOwner(), isDiscreet: isDiscreet === true }
}

/** As the last page was, also one behind a PIN. */
async function keepDiscretion(isDiscreet: boolean): Promise<void> {
  await (await openStore()).put('state', isDiscreet, 'isDiscreet')
}

/** A page sends the data of its body; `isDiscreet` is null where the message is not a page's. */
function readMessage(data: unknown): { owner: string | null; isDiscreet: boolean | null; isQuiet: boolean } {
  if (typeof data !== 'object' || data === null) return { owner: null, isDiscreet: null, isQuiet: false }
  return {
    owner: 'owner' in data && typeof data.owner === 'string' ? data.owner : null,
    isDiscreet: 'frame' in data ? 'discreet' in data : null,
    isQuiet: 'isQuiet' in data && data.isQuiet === true,
  }
}

function hasPin(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'hasPin' in answer && answer.hasPin === true
}

function readVersions(answer: unknown): Record<string, string> {
  const has = typeof answer === 'object' && answer !== null && 'versions' in answer
  return has && typeof answer.versions === 'object' ? { ...answer.versions } : {}
}

function readAllowed(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null || !('allowed' in answer)) return []
  return Array.isArray(answer.allowed) ? answer.allowed.filter((each) => typeof each === 'string') : []
}

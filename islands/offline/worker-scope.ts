import type { PushMessage } from '#src/push/schema'

/**
 * The part of a service worker's global scope that our worker uses. TypeScript's own types for it conflict with those
 * of the page.
 */
type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void }
export type FetchEvent = ExtendableEvent & {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}
type WorkerMessageEvent = ExtendableEvent & { readonly data: unknown }
/** Only our own server can push to us, because browsers check its key. */
export type PushEvent = ExtendableEvent & { readonly data: { json(): PushMessage | null } | null }
type NotificationEvent = ExtendableEvent & { readonly notification: Notification }

type Events = {
  install: ExtendableEvent
  activate: ExtendableEvent
  fetch: FetchEvent
  message: WorkerMessageEvent
  push: PushEvent
  notificationclick: NotificationEvent
  pushsubscriptionchange: ExtendableEvent
}

type WindowClient = { readonly url: string; focus(): Promise<unknown> }

export type WorkerScope = {
  addEventListener<Name extends keyof Events>(name: Name, handle: (event: Events[Name]) => void): void
  skipWaiting(): Promise<void>
  clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>
    openWindow(url: string): Promise<unknown>
  }
  registration: ServiceWorkerRegistration
  location: WorkerLocation
  /** Inserted at the start of the script by src/offline/service-worker.ts. */
  workerFiles: { build: string; page: string; discreetPage: string; assets: string[] }
}
type WorkerLocation = Location

/**
 * What a service worker has around it, as far as ours uses it. TypeScript's own types of it cannot stand beside
 * those of the page.
 */
export type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void }
export type FetchEvent = ExtendableEvent & {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}
export type WorkerMessageEvent = ExtendableEvent & { readonly data: unknown }
export type PushEvent = ExtendableEvent & { readonly data: { json(): unknown } | null }
export type NotificationEvent = ExtendableEvent & { readonly notification: Notification }

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
  /** Put in front of the script by src/offline/service-worker.ts. */
  workerFiles: { build: string; page: string; discreetPage: string; assets: string[] }
}
type WorkerLocation = Location

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

type Events = {
  install: ExtendableEvent
  activate: ExtendableEvent
  fetch: FetchEvent
  message: WorkerMessageEvent
}

export type WorkerScope = {
  addEventListener<Name extends keyof Events>(name: Name, handle: (event: Events[Name]) => void): void
  skipWaiting(): Promise<void>
  clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly object[]>
  }
  registration: ServiceWorkerRegistration
  location: WorkerLocation
  /** Put in front of the script by src/offline/service-worker.ts. */
  workerFiles: { build: string; page: string; discreetPage: string; assets: string[] }
}
type WorkerLocation = Location

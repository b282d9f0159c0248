import type { ThemeName } from '#src/ui/viewer'

/** What islands, the loader and pages tell each other, as events on the document. */

/** What the player plays: an item in one voice (visitor.md §3). */
export type Track = {
  /** source-type-id */
  id: string
  title: string
  voice: string
  src: string
  /** The item it was made from, as plain data. */
  meta: object
}

/** `queue`: what follows it; where it is left out, what the page shows after it. `place`: not now, but then. */
export type PlayRequest = {
  track: Track
  startSeconds?: number
  queue?: Track[]
  place?: 'next' | 'last'
}
export type ToastMessage = {
  title: string
  description?: string
  kind?: 'good' | 'bad'
  /** Takes back what it tells of. */
  undo?: () => void
}
export type AuthRequest = { mode: 'sign-in' | 'register'; next?: string }
/** `done` is set by whoever handles it: the page is there when it resolves. */
export type VisitRequest = { url: string; isReload?: boolean; done?: Promise<void> }
/** A press on a link with data-reader. Prevent it to show the item in a dialog over the list. */
export type ReadRequest = { url: string; trigger: HTMLElement }

/** A press on a link with data-report. */
export type ReportRequest = { link: HTMLAnchorElement }

export type EventDetails = {
  'nocturne:play': PlayRequest
  'nocturne:toast': ToastMessage
  'nocturne:auth': AuthRequest
  'nocturne:visit': VisitRequest
  'nocturne:read': ReadRequest
  'nocturne:report': ReportRequest
  /** Markup with islands of its own stands in the document, or is about to leave it. */
  'nocturne:islands': { under: Element; isLeaving?: boolean }
  /** The theme was changed; null leaves it to the system. */
  'nocturne:theme': { theme: ThemeName | null }
  /** In the console: the server took a call of the operator's, or did not know the session any longer. */
  'nocturne:operator-seen': object
  'nocturne:operator-ended': object
  /** The page was swapped by soft navigation. */
  'nocturne:navigated': { url: string }
}
export type EventName = keyof EventDetails

/** Tells everyone; false where a listener prevented it. */
export function emit<Name extends EventName>(name: Name, detail: EventDetails[Name]): boolean {
  return document.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }))
}

/** Calls `handle` at every event of a name; gives the way to stop. */
export function listen<Name extends EventName>(
  name: Name,
  handle: (detail: EventDetails[Name], event: CustomEvent<EventDetails[Name]>) => void,
): () => void {
  const onEvent = (event: Event) => {
    if (event instanceof CustomEvent) handle(event.detail, event)
  }
  document.addEventListener(name, onEvent)
  return () => document.removeEventListener(name, onEvent)
}

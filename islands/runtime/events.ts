import type { FeedState } from '#src/feed/schema'
import type { Track } from '#src/story/track-rules'
import type { ThemeName } from '#src/ui/viewer'

/**
 * `queue`: the tracks that follow it; by default those that the page shows after it. `place`: queued there, not
 * played now.
 */
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
  /** Undoes the action that the toast is about. */
  undo?: () => void
}
/** `next`: the place to go on at. `reason`: why the dialog opens, at its top. `isLocked`: it asks for the PIN. */
export type AuthRequest = {
  mode: 'sign-in' | 'register'
  next: string
  reason?: string
  isLocked?: boolean
}
/** The handler sets `done`: a promise that resolves when the page is shown. */
export type VisitRequest = { url: string; isReload?: boolean; done?: Promise<void> }
/** A press on a link with data-reader. Prevent it to show the item in a dialog over the list. */
export type ReadRequest = { url: string; trigger: HTMLElement }

/**
 * A link, a form or Back takes the page away. Prevent it to stay. `isAsked`: a listener has asked the person; `inFull`:
 * this address is about to be loaded in full, which ends what plays.
 */
type LeaveRequest = { isAsked?: boolean; inFull?: URL }

/** A press on a link with data-report. */
export type ReportRequest = { link: HTMLAnchorElement }

export type EventDetails = {
  'nocturne:play': PlayRequest
  'nocturne:toast': ToastMessage
  'nocturne:auth': AuthRequest
  'nocturne:visit': VisitRequest
  'nocturne:read': ReadRequest
  'nocturne:leave': LeaveRequest
  'nocturne:report': ReportRequest
  /** Markup with islands was placed in the document, or is about to be removed. */
  'nocturne:islands': { under: Element; isLeaving?: boolean }
  /** The theme was changed; null follows the system. */
  'nocturne:theme': { theme: ThemeName | null }
  /** In the console: the server accepted an operator's call, or the session was over. */
  'nocturne:operator-seen': object
  'nocturne:operator-ended': object
  /** In the console: an act may have changed the figures of the page. */
  'nocturne:operator-acted': object
  /** The member's private feeds were ended with other access to the account. */
  'nocturne:feeds': FeedState
  /** The page was swapped by soft navigation. `askedAt`: FoundPage; `isTyped`: by a search that is being typed. */
  'nocturne:navigated': { url: string; askedAt: number; isTyped?: boolean }
  /** A typed search is counted: its words were unchanged for a while, or its page is left. */
  'nocturne:searched': object
}
export type EventName = keyof EventDetails

/** Dispatches an event; false where a listener prevented it. */
export function emit<Name extends EventName>(name: Name, detail: EventDetails[Name]): boolean {
  return document.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }))
}

/** Calls `handle` at every event of a name; returns a function that stops it. */
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

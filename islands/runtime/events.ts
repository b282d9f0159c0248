import type { FeedState } from '#src/feed/schema'
import type { Track } from '#src/story/track-rules'
import type { ThemeName } from '#src/ui/viewer'

/**
 * `queue`: the tracks to play after this one; by default those that the page shows after it. `place`: where to add the
 * track to the queue instead of playing it now.
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
/**
 * `next`: the address to continue at. `reason`: why the dialog opens, shown at its top. `isLocked`: the dialog asks for
 * the PIN.
 */
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
 * A link, a form or Back is about to leave the page. Call preventDefault to stay. `isAsked`: a listener has already
 * asked the person. `inFull`: the browser is about to load this address, which ends playback.
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
  /** Markup with islands was inserted into the document, or is about to be removed. */
  'nocturne:islands': { under: Element; isLeaving?: boolean }
  /** The theme was changed; null means that it follows the system. */
  'nocturne:theme': { theme: ThemeName | null }
  /** In the console: the server accepted an operator's call (seen), or the session is over (ended). */
  'nocturne:operator-seen': object
  'nocturne:operator-ended': object
  /** In the console: an operator's action may have changed the figures of the page. */
  'nocturne:operator-acted': object
  /** The member's private feeds were revoked together with other access to the account. */
  'nocturne:feeds': FeedState
  /** The page was swapped by soft navigation. `askedAt`: see FoundPage. `isTyped`: by a search as it is typed. */
  'nocturne:navigated': { url: string; askedAt: number; isTyped?: boolean }
  /** A typed search counts: its text was unchanged for a while, or its page is being left. */
  'nocturne:searched': object
}
export type EventName = keyof EventDetails

/** Dispatches an event. Returns false if a listener prevented it. */
export function emit<Name extends EventName>(name: Name, detail: EventDetails[Name]): boolean {
  return document.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }))
}

/** Calls `handle` for every event of a name. Returns a function that stops it. */
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

import { getDefaultStore, Provider } from 'jotai'
import { type ComponentType, createElement, type ReactNode, useEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { type Replay, recordInput } from '#islands/runtime/input-replay'
import { markHydrated } from '#islands/runtime/mark-hydrated'

/**
 * Mounts an island in `host`: hydrates the server's markup if there is some, otherwise renders from scratch. All
 * islands share jotai's default store, so that cards and the player show one state. Returns a function that unmounts
 * the island.
 */
export function mountIsland<Props extends object>(
  Island: ComponentType<Props>,
  host: Element,
  props: Props,
  identifierPrefix: string,
): () => void {
  const island = createElement(
    Replaying,
    { host, takeReplays: recordUntilTaken(host) },
    createElement(Provider, { store: getDefaultStore() }, createElement(Island, props)),
  )
  if (host.hasChildNodes()) {
    let isEnding = false
    const root = hydrateRoot(host, island, {
      identifierPrefix,
      // If the page is left before React has hydrated this island, React reports an "early update", which is no error.
      onRecoverableError: (error) => isEnding || reportError(error),
    })
    return () => {
      isEnding = true
      root.unmount()
    }
  }
  const root = createRoot(host, { identifierPrefix })
  // Synchronous, including effects: the island must be listening when the loader dispatches its next event.
  flushSync(() => root.render(island))
  return () => root.unmount()
}

/** Records input until the replays are taken. React hydrates in pieces, and input between them must be recorded too. */
function recordUntilTaken(host: Element): () => Replay[] {
  let replays = recordInput(host)
  const recordAgain = () => {
    replays = recordInput(host)
  }
  // Capture, to run before React's listener.
  host.addEventListener('input', recordAgain, { capture: true })
  return () => {
    host.removeEventListener('input', recordAgain, { capture: true })
    return replays
  }
}

/** Replays the recorded input once the island is hydrated, and marks it as hydrated. */
function Replaying({
  host,
  takeReplays,
  children,
}: {
  host: Element
  takeReplays: () => Replay[]
  children?: ReactNode
}) {
  useEffect(() => {
    for (const replay of takeReplays()) replay()
    markHydrated(host)
  }, [host, takeReplays])
  return children
}

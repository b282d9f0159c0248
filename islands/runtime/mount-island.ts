import { getDefaultStore, Provider } from 'jotai'
import { type ComponentType, createElement, type ReactNode, useEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { type Replay, recordInput } from '#islands/runtime/input-replay'
import { markHydrated } from '#islands/runtime/mark-hydrated'

/**
 * Mounts an island in `host`: hydrates the server's markup where there is some, else renders anew. All islands share
 * jotai's default store, so cards and the player see one state. Returns a function that unmounts it.
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
      // A page may be left before React has hydrated this island: React then reports an "early update", which
      // is no error.
      onRecoverableError: (error) => isEnding || reportError(error),
    })
    return () => {
      isEnding = true
      root.unmount()
    }
  }
  const root = createRoot(host, { identifierPrefix })
  // Synchronously, effects too: the loader's next event must find the island listening.
  flushSync(() => root.render(island))
  return () => root.unmount()
}

/** React hydrates in pieces: input that comes between them is recorded too. */
function recordUntilTaken(host: Element): () => Replay[] {
  let replays = recordInput(host)
  const recordAgain = () => {
    replays = recordInput(host)
  }
  // Before React hears it.
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

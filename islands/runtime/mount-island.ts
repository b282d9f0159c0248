import { getDefaultStore, Provider } from 'jotai'
import { type ComponentType, createElement, type ReactNode, useEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { lookForTyped, type TypedEarly } from '#islands/runtime/input-replay'
import { markAwake } from '#islands/runtime/mark-awake'

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
  const typed = lookForTyped(host)
  const island = createElement(
    Awake,
    { host, typed },
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

/** Replays the input recorded before hydration to the island, and notifies its waiters. */
function Awake({ host, typed, children }: { host: Element; typed: TypedEarly; children?: ReactNode }) {
  useEffect(() => {
    for (const replay of typed) replay()
    markAwake(host)
  }, [host, typed])
  return children
}

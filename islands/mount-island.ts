import { getDefaultStore, Provider } from 'jotai'
import { type ComponentType, createElement, type ReactNode, useEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { lookForTyped, type TypedEarly } from '#islands/typed-early'

/**
 * Brings an island to life in `host`: over the server's markup where there is some, from nothing elsewhere.
 * All islands share jotai's default store, so cards and the player see one state. Gives the way to end it.
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
      // A page that is left before React came to this island: ending it is then "an early update", and no fault.
      onRecoverableError: (error) => isEnding || reportError(error),
    })
    return () => {
      isEnding = true
      root.unmount()
    }
  }
  const root = createRoot(host, { identifierPrefix })
  // At once, effects too: what the loader hands over next must find the island listening.
  flushSync(() => root.render(island))
  return () => root.unmount()
}

/** Tells the island, as soon as it is awake, what was typed while it was not; and whoever waits, that it is. */
function Awake({ host, typed, children }: { host: Element; typed: TypedEarly; children?: ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once; nothing of it changes
  useEffect(() => {
    for (const tell of typed) tell()
    // No attribute: soft navigation compares the markup with the server's.
    Object.assign(host, { isAwake: true })
  }, [])
  return children
}

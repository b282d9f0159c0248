import { getDefaultStore, Provider } from 'jotai'
import { type ComponentType, createElement, type ReactNode, useEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { type Replay, recordInput } from '#islands/runtime/input-replay'
import { markHydrated } from '#islands/runtime/mark-hydrated'
import { hydrating } from '#islands/runtime/preact-options'
import { countIds, ElementIds } from '#src/ui/element-id'

/**
 * Mounts an island in `host`: hydrates the server's markup if there is some, otherwise renders from scratch. All
 * islands share jotai's default store, so that cards and the player show one state. Returns a function that unmounts
 * the island.
 */
export function mountIsland<Props extends object>(
  Island: ComponentType<Props>,
  host: Element,
  props: Props,
  prefix: string,
): () => void {
  const island = createElement(
    ElementIds,
    { value: countIds(prefix) },
    createElement(Provider, { store: getDefaultStore() }, createElement(Island, props)),
  )
  const replays = recordInput(host)
  const replaying = createElement(Replaying, { host, replays }, island)
  const isThere = host.hasChildNodes()
  const root = isThere ? hydrating(() => hydrateRoot(host, replaying)) : createRoot(host)
  if (!isThere) root.render(replaying)
  return () => root.unmount()
}

/** Replays the recorded input once the island is hydrated, and marks it as hydrated. */
function Replaying({ host, replays, children }: { host: Element; replays: Replay[]; children?: ReactNode }) {
  useEffect(() => {
    for (const replay of replays) replay()
    markHydrated(host)
  }, [host, replays])
  return children
}

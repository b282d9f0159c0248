import { useSyncExternalStore } from 'react'

/**
 * Returns false during hydration and true right after. State that only the browser has (the current track, presses on
 * another page) must wait for it, or the hydrated markup would differ from the rendered.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}

const neverChanges = () => () => {}

import { useSyncExternalStore } from 'react'

/**
 * False during hydration, true right after. State that only the browser has (the current track, presses on another
 * page) waits for it, or React finds a mismatch.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}

const neverChanges = () => () => {}

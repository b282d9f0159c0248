import { useSyncExternalStore } from 'react'

/**
 * False while an island takes over the server's markup, true right after. What only the browser knows (what
 * plays, what was pressed on another page) waits for it, or React finds a markup that is not its own.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}

const neverChanges = () => () => {}

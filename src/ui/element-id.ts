import { createContext, useContext, useId, useState } from 'react'

/** Gives the ids of an island's elements one after another. Null outside of islands. */
export const ElementIds = createContext<(() => string) | null>(null)

/** Returns a source of ids with a prefix that no other island of the page has. */
export function countIds(prefix: string): () => string {
  let count = 0
  return () => `${prefix}${count++}`
}

/**
 * An id for an element of this component, the same in the server's markup and on hydration. `useId` is not, because the
 * server renders with React and browsers with Preact; both render components in the same order.
 */
export function useElementId(): string {
  const next = useContext(ElementIds)
  const own = useId()
  const [id] = useState(() => next?.() ?? own)
  return id
}

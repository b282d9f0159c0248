import type { ReactNode } from 'react'

/** Replaces an empty list in a panel of the console: says what is missing, and how to get the first one. */
export function NothingHere({ children }: { children: ReactNode }) {
  return <p className="nothing-here lead">{children}</p>
}

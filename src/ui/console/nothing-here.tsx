import type { ReactNode } from 'react'

/** What a panel of the console shows in place of an empty list: what is missing, and how the first one comes. */
export function NothingHere({ children }: { children: ReactNode }) {
  return <p className="nothing-here lead">{children}</p>
}

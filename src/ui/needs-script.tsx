import type { ReactNode } from 'react'

/** What answers only with a script; without one a sentence says so in its place. */
export function NeedsScript({ what, children }: { what: string; children: ReactNode }) {
  return (
    <>
      <div className="needs-script">{children}</div>
      <noscript>
        <p className="empty">{what} needs JavaScript.</p>
      </noscript>
    </>
  )
}

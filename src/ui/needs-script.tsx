import type { ReactNode } from 'react'

/** Content that only works with a script. Without one, a sentence is shown instead. */
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

import type { ReactNode } from 'react'

export type BadgeKind = 'lit' | 'soft' | 'good' | 'warn' | 'bad' | 'info' | 'line'

/** A status in words. `lit` has the accent colour: at most one per view. */
export function Badge({ kind, children }: { kind?: BadgeKind; children: ReactNode }) {
  return <span className={kind ? `badge badge-${kind}` : 'badge'}>{children}</span>
}

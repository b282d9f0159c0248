import { CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '#src/ui/icon'

export type NoticeKind = 'info' | 'good' | 'warn' | 'bad'

const icons: Record<NoticeKind, LucideIcon> = {
  info: Info,
  good: CircleCheck,
  warn: TriangleAlert,
  bad: TriangleAlert,
}

/** A line that says what is so. `action` stands at its end: a link or buttons. */
export function Notice({
  kind = 'info',
  icon = icons[kind],
  action,
  children,
}: {
  kind?: NoticeKind
  icon?: LucideIcon
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div
      className={kind === 'info' ? 'notice' : `notice notice-${kind}`}
      role={kind === 'bad' ? 'alert' : 'status'}
    >
      <span>
        <Icon of={icon} />
      </span>
      <p>{children}</p>
      {action}
    </div>
  )
}

import type { ReactNode } from 'react'
import { Icon, type IconName } from '#src/ui/icon'

export type NoticeKind = 'info' | 'good' | 'warn' | 'bad'

const icons: Record<NoticeKind, IconName> = {
  info: 'i-lucide-info',
  good: 'i-lucide-circle-check',
  warn: 'i-lucide-triangle-alert',
  bad: 'i-lucide-triangle-alert',
}

/** A line with a notice. `action` is at its end: a link or buttons. */
export function Notice({
  kind = 'info',
  icon = icons[kind],
  action,
  children,
}: {
  kind?: NoticeKind
  icon?: IconName
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div
      className={kind === 'info' ? 'notice' : `notice notice-${kind}`}
      role={kind === 'bad' ? 'alert' : 'status'}
    >
      <span>
        <Icon name={icon} />
      </span>
      <p>{children}</p>
      {action}
    </div>
  )
}

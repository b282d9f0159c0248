import type { ReactNode } from 'react'
import { Icon, type IconName } from '#src/ui/icon'

export type NoticeKind = 'info' | 'good' | 'warn' | 'bad'

const icons: Record<NoticeKind, IconName> = {
  info: 'i-lucide-info',
  good: 'i-lucide-circle-check',
  warn: 'i-lucide-triangle-alert',
  bad: 'i-lucide-triangle-alert',
}

export type NoticeLook = {
  kind?: NoticeKind
  icon?: IconName
  /** At its end: a link or buttons. */
  action?: ReactNode
}

/**
 * A line with a notice. A bad one is an alert; the others are text of their page. One that appears while the page is
 * open is an AppearingNotice (islands/site/appearing-notice.tsx).
 */
export function Notice({
  kind = 'info',
  icon = icons[kind],
  action,
  children,
}: NoticeLook & { children: ReactNode }) {
  return (
    <div
      className={kind === 'info' ? 'notice' : `notice notice-${kind}`}
      role={kind === 'bad' ? 'alert' : undefined}
    >
      <span>
        <Icon name={icon} />
      </span>
      <p>{children}</p>
      {action}
    </div>
  )
}

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
  /** A link or buttons at the end of the line. */
  action?: ReactNode
}

/**
 * A line with a notice. A bad notice is an alert; the others are plain text of the page. Use AppearingNotice
 * (islands/site/appearing-notice.tsx) for notices that appear while the page is open.
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

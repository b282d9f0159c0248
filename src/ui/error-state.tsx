import type { ReactNode } from 'react'
import { Icon } from '#src/ui/icon'

/** What happened, and how to fix it. */
export function ErrorState({
  title,
  words,
  children,
}: {
  title: string
  words?: string
  children?: ReactNode
}) {
  return (
    <div className="empty" role="alert">
      <Icon name="i-lucide-triangle-alert" />
      <h2 className="title-md">{title}</h2>
      {words && <p className="lead">{words}</p>}
      {children}
    </div>
  )
}

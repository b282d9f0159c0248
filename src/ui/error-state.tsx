import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '#src/ui/icon'

/** What happened, and the mend. */
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
      <Icon of={TriangleAlert} />
      <h2 className="title-md">{title}</h2>
      {words && <p className="lead">{words}</p>}
      {children}
    </div>
  )
}

import { Clock } from 'lucide-react'
import { Icon } from '#src/ui/icon'

/** "13 min read": the duration, or the words at 225 a minute (visitor.md §2). */
export function ReadingBadge({ minutes }: { minutes: number }) {
  return (
    <span className="badge badge-line">
      <Icon of={Clock} size="sm" />
      {minutes} min read
    </span>
  )
}

import { Icon } from '#src/ui/icon'

/** The badge "13 min read": from the words at 225 a minute, or from the duration if there is no text. */
export function ReadingBadge({ minutes }: { minutes: number }) {
  return (
    <span className="badge badge-line">
      <Icon name="i-lucide-sm-clock" />
      {minutes} min read
    </span>
  )
}

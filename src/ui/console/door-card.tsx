import { ChevronRight, type LucideIcon } from 'lucide-react'
import { Icon } from '#src/ui/icon'

/** A way to another room, with what is new there. */
export function DoorCard({
  icon,
  name,
  words,
  href,
}: {
  icon: LucideIcon
  name: string
  words: string
  href: string
}) {
  return (
    <a className="door" href={href}>
      <Icon of={icon} />
      <span className="row-words">
        <b>{name}</b>
        <span className="meta">{words}</span>
      </span>
      <Icon of={ChevronRight} size="sm" />
    </a>
  )
}

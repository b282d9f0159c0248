import { Icon, type IconName } from '#src/ui/icon'

/** A link to another page of the console, with a summary of its news. */
export function LinkCard({
  icon,
  name,
  words,
  href,
}: {
  icon: IconName
  name: string
  words: string
  href: string
}) {
  return (
    <a className="link-card" href={href}>
      <Icon name={icon} />
      <span className="row-words">
        <b>{name}</b>
        <span className="meta">{words}</span>
      </span>
      <Icon name="i-lucide-sm-chevron-right" />
    </a>
  )
}

import { Icon } from '#src/ui/icon'
import { type Section, tabBarEntries } from '#src/ui/navigation'

/** The tab bar at the foot of phones. Its Create entry stands for both screens that create. */
export function TabBar({ section }: { section: Section | null }) {
  const here = section === 'create-stories' ? 'create' : section
  return (
    <nav className="tabbar" aria-label="Quick" data-live="tabbar">
      {tabBarEntries.map((entry) => (
        <a key={entry.section} href={entry.href} aria-current={entry.section === here ? 'page' : undefined}>
          <Icon name={entry.icon} />
          <span>{entry.label}</span>
        </a>
      ))}
      <a href="#sidebar">
        <Icon name="i-lucide-ellipsis" />
        <span>More</span>
      </a>
    </nav>
  )
}

import { consoleUrls } from '#src/console-urls'
import { urls } from '#src/urls'

/** The console's pages, in the order of an operator's day. A page is listed once it exists. */
const rooms = [
  { name: 'Dashboard', href: urls.admin() },
  { name: 'Premium Content', href: urls.premiumContent() },
  { name: 'Analytics', href: urls.analytics() },
  { name: 'Moderation', href: urls.moderation() },
  { name: 'Voice lab', href: urls.audioTest() },
  { name: 'Members', href: urls.members() },
  { name: 'Guidelines', href: urls.training() },
  { name: 'Model', href: urls.modelConfig() },
  { name: 'Challenges', href: urls.challengeEditor() },
  { name: 'Jobs', href: urls.jobs() },
  { name: 'Audit log', href: consoleUrls.audit() },
] as const
export type ConsoleRoom = (typeof rooms)[number]['name']

export function ConsoleNav({ current }: { current: ConsoleRoom }) {
  return (
    <nav className="console-nav" aria-label="Console">
      {rooms.map(({ name, href }) => (
        <a key={name} href={href} aria-current={name === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}

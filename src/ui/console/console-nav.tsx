import { consoleUrls } from '#src/console-urls'
import { urls } from '#src/urls'

/**
 * The console's pages, in the order of an operator's day. A page is listed once it exists. `key` is the letter that
 * opens it after g; k and u belong to the player.
 */
export const rooms = [
  { name: 'Dashboard', key: 'd', href: urls.admin() },
  { name: 'Premium Content', key: 'p', href: urls.premiumContent() },
  { name: 'Analytics', key: 'a', href: urls.analytics() },
  { name: 'Moderation', key: 'r', href: consoleUrls.moderation() },
  { name: 'Voice lab', key: 'v', href: consoleUrls.audioTest() },
  { name: 'Members', key: 'm', href: consoleUrls.members() },
  { name: 'Guidelines', key: 'g', href: consoleUrls.training() },
  { name: 'Model', key: 'o', href: consoleUrls.modelConfig() },
  { name: 'Challenges', key: 'c', href: consoleUrls.challengeEditor() },
  { name: 'Jobs', key: 'j', href: consoleUrls.jobs() },
  { name: 'Audit log', key: 'l', href: consoleUrls.audit() },
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

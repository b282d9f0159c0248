import { BetaAccess } from '#src/ui/beta-access'
import type { Frame } from '#src/ui/document'
import { Icon } from '#src/ui/icon'
import { listSidebarEntries, listSiteLinks, type Section } from '#src/ui/navigation'
import type { FrameViewer } from '#src/ui/viewer'

/** The sections. On small screens this is a drawer, which `#sidebar` opens even without JavaScript. */
export function SideBar({
  viewer,
  section,
  frame,
}: {
  viewer: FrameViewer
  section: Section | null
  frame: Frame
}) {
  return (
    <aside className="sidebar" id="sidebar" aria-label="Sections">
      <a className="icon-btn sidebar-close" href="#main" aria-label="Close menu">
        <Icon name="i-lucide-x" />
      </a>
      <nav aria-label="Main" data-live="sidebar-nav">
        {listSidebarEntries(viewer).map((entry) => (
          <a
            key={entry.section}
            className="nav-item"
            href={entry.href}
            aria-current={entry.section === section ? 'page' : undefined}
          >
            <Icon name={entry.icon} />
            <span>{entry.label}</span>
          </a>
        ))}
      </nav>
      <nav className="marketing" aria-label="Site, more">
        <span className="nav-label" data-live="site">
          {viewer.siteName}
        </span>
        {listSiteLinks(viewer.marketingUrl, section).map(({ href, label }) => (
          <a key={label} className="nav-item" href={href}>
            {label}
          </a>
        ))}
      </nav>
      {frame === 'shell' ? <BetaAccess /> : <div data-live="beta" />}
    </aside>
  )
}

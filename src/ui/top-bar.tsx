import { Brand } from '#src/ui/brand-mark'
import { Icon } from '#src/ui/icon'
import { LeaveButton } from '#src/ui/leave-button'
import { listSiteLinks, type Section } from '#src/ui/navigation'
import { ThemeButton } from '#src/ui/theme-button'
import type { FrameViewer } from '#src/ui/viewer'
import { urls } from '#src/urls'

/** The top bar: brand, the site's links, the leave button, theme, and the signed-in person. */
export function TopBar({ viewer, section }: { viewer: FrameViewer; section: Section | null }) {
  return (
    <header className="topbar">
      <a className="icon-btn menu-link" href="#sidebar" aria-label="Menu">
        <Icon name="i-lucide-menu" />
      </a>
      <Brand siteName={viewer.siteName} isMember={viewer.isMember} />
      <nav className="topbar-links" aria-label="Site" data-live="topbar-links">
        {listSiteLinks(viewer.marketingUrl, section).map(({ href, label, isCurrent }) => (
          <a key={label} href={href} aria-current={isCurrent || undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div className="topbar-end" data-live="topbar-end">
        <LeaveButton />
        <ThemeButton className={viewer.isMember ? undefined : 'hide-sm'} />
        {viewer.isMember ? (
          <a className="icon-btn hide-sm" href={urls.settings()} aria-label="Your account">
            <Icon name="i-lucide-user" />
          </a>
        ) : (
          <a className="btn btn-quiet" href={urls.signIn()} data-auth="sign-in">
            Sign in
          </a>
        )}
      </div>
    </header>
  )
}

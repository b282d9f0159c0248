import type { IconName } from '#src/ui/icon'
import type { FrameViewer } from '#src/ui/viewer'
import { urls } from '#src/urls'

/** Sections that the sidebar can mark as current. */
export type Section =
  | 'explore'
  | 'create'
  | 'stories'
  | 'create-stories'
  | 'my-content'
  | 'trending'
  | 'home'
  | 'premium-content'
  | 'analytics'
  | 'settings'

export type NavigationEntry = { section: Section; href: string; label: string; icon: IconName }

/** The sidebar's entries for one viewer. */
export function listSidebarEntries(viewer: Pick<FrameViewer, 'isOperator' | 'isMember'>): NavigationEntry[] {
  const entries: NavigationEntry[] = [
    { section: 'home', href: urls.home(), label: 'Home', icon: 'i-lucide-house' },
    { section: 'explore', href: urls.explore(), label: 'Explore Audios', icon: 'i-lucide-headphones' },
    { section: 'create', href: urls.create(), label: 'Create Audios', icon: 'i-lucide-mic' },
    { section: 'stories', href: urls.stories(), label: 'Read Stories', icon: 'i-lucide-book-open' },
    {
      section: 'create-stories',
      href: urls.createStories(),
      label: 'Create Stories',
      icon: 'i-lucide-pen-line',
    },
    { section: 'my-content', href: urls.myContent(), label: 'My Content', icon: 'i-lucide-library' },
  ]
  if (viewer.isOperator) {
    entries.push(
      {
        section: 'premium-content',
        href: urls.premiumContent(),
        label: 'Premium Content',
        icon: 'i-lucide-sparkles',
      },
      {
        section: 'analytics',
        href: urls.analytics(),
        label: 'Analytics Dashboard',
        icon: 'i-lucide-chart-line',
      },
    )
  }
  if (viewer.isMember) {
    entries.push({ section: 'settings', href: urls.settings(), label: 'Settings', icon: 'i-lucide-settings' })
  }
  return entries
}

/** The first five entries of the phone's tab bar. The sixth opens the sidebar. */
export const tabBarEntries: NavigationEntry[] = [
  { section: 'home', href: urls.home(), label: 'Home', icon: 'i-lucide-house' },
  { section: 'explore', href: urls.explore(), label: 'Explore', icon: 'i-lucide-headphones' },
  { section: 'stories', href: urls.stories(), label: 'Stories', icon: 'i-lucide-book-open' },
  { section: 'create', href: urls.create(), label: 'Create', icon: 'i-lucide-plus' },
  { section: 'my-content', href: urls.myContent(), label: 'My Content', icon: 'i-lucide-library' },
]

export type SiteLink = { href: string; label: string; isCurrent: boolean }

/** The top bar's links: the marketing site, and two lists of this site. */
export function listSiteLinks(marketingUrl: string, section: Section | null): SiteLink[] {
  return [
    { href: `${marketingUrl}/`, label: 'Home', isCurrent: false },
    { href: `${marketingUrl}/videos`, label: 'Videos', isCurrent: false },
    { href: urls.explore(), label: 'Audio', isCurrent: section === 'explore' },
    { href: urls.stories(), label: 'Stories', isCurrent: section === 'stories' },
    { href: `${marketingUrl}/shop`, label: 'Shop', isCurrent: false },
  ]
}

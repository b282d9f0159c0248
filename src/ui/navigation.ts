import {
  BookOpen,
  ChartLine,
  Headphones,
  Library,
  type LucideIcon,
  Mic,
  PenLine,
  Plus,
  Settings,
  Sparkles,
} from 'lucide-react'
import type { Viewer } from '#src/ui/viewer'
import { urls } from '#src/urls'

/** The places that the sidebar can mark as where one is. */
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

export type NavigationEntry = { section: Section; href: string; label: string; icon: LucideIcon }

/** The sidebar's entries for one viewer (visitor.md §2). */
export function listSidebarEntries(viewer: Pick<Viewer, 'isOperator' | 'member'>): NavigationEntry[] {
  const entries: NavigationEntry[] = [
    { section: 'explore', href: urls.explore(), label: 'Explore Audios', icon: Headphones },
    { section: 'create', href: urls.create(), label: 'Create Audios', icon: Mic },
    { section: 'stories', href: urls.stories(), label: 'Read Stories', icon: BookOpen },
    { section: 'create-stories', href: urls.createStories(), label: 'Create Stories', icon: PenLine },
    { section: 'my-content', href: urls.myContent(), label: 'My Content', icon: Library },
  ]
  if (viewer.isOperator) {
    entries.push(
      { section: 'premium-content', href: urls.premiumContent(), label: 'Premium Content', icon: Sparkles },
      { section: 'analytics', href: urls.analytics(), label: 'Analytics Dashboard', icon: ChartLine },
    )
  }
  if (viewer.member) {
    entries.push({ section: 'settings', href: urls.settings(), label: 'Settings', icon: Settings })
  }
  return entries
}

/** The four of the phone's bar; the fifth opens the sidebar. */
export const tabBarEntries: NavigationEntry[] = [
  { section: 'explore', href: urls.explore(), label: 'Explore', icon: Headphones },
  { section: 'stories', href: urls.stories(), label: 'Stories', icon: BookOpen },
  { section: 'create', href: urls.create(), label: 'Create', icon: Plus },
  { section: 'my-content', href: urls.myContent(), label: 'My Content', icon: Library },
]

export type SiteLink = { href: string; label: string; isCurrent: boolean }

/** The top bar's links: the marketing site, and the two doors of this one (visitor.md §2). */
export function listSiteLinks(marketingUrl: string, section: Section | null): SiteLink[] {
  const isStories = section === 'stories'
  return [
    { href: `${marketingUrl}/`, label: 'Home', isCurrent: false },
    { href: `${marketingUrl}/videos`, label: 'Videos', isCurrent: false },
    { href: urls.explore(), label: 'Audio', isCurrent: section !== null && !isStories },
    { href: urls.stories(), label: 'Stories', isCurrent: isStories },
    { href: `${marketingUrl}/shop`, label: 'Shop', isCurrent: false },
  ]
}

import type { Arrival } from '#src/http/arrival'
import type { Provider } from '#src/social/rules'
import type { Manifest } from '#src/ui/manifest'

export type ThemeName = 'dark' | 'paper'

/** Who looks at a page, and what every page needs to know of the site. */
export type Viewer = {
  siteName: string
  /** The marketing site of the top bar's links, without a slash at the end. */
  marketingUrl: string
  /** Null where nothing was chosen: the system's preference decides. */
  theme: ThemeName | null
  member: { firstName: string | null; lastName: string | null; email: string } | null
  /** Names the member to this browser alone: what it keeps for one is not for the next. Null for visitors. */
  owner?: string | null
  isOperator: boolean
  /** Titles and icons are plain (src/ui/discreet.ts). */
  isDiscreet?: boolean
  /** Null where nothing is counted: members, and visitors of a site without a limit. */
  freeStoriesLeft: number | null
  manifest: Manifest
  /** Accounts elsewhere that sign in here; none where it is left out. */
  providers?: readonly Provider[]
  /** Who has just come in by one of them is greeted. */
  arrival?: Arrival | null
}

import type { ReactNode } from 'react'
import type { Provider } from '#src/social/rules'
import type { Manifest } from '#src/ui/manifest'

export type ThemeName = 'dark' | 'paper'

/** The viewer of a page, and the data that every page needs. */
export type Viewer = {
  siteName: string
  /** The marketing site of the top bar's links, without a slash at the end. */
  marketingUrl: string
  /** Null where nothing was chosen: the system's preference decides. */
  theme: ThemeName | null
  member: { firstName: string | null; lastName: string | null; email: string } | null
  /**
   * Identifies the member in this browser's storage, so that data stored for one member are not read for the next.
   * Null for visitors.
   */
  owner?: string | null
  isOperator: boolean
  /** Titles and icons are plain (src/ui/discreet.ts). */
  isDiscreet?: boolean
  manifest: Manifest
  /** Providers whose accounts sign in here; none by default. */
  providers?: readonly Provider[]
  /** For a person who has just signed in with one of them. */
  greeting?: ReactNode
}

/** What frames show of a viewer. Frames are cached for everybody, so nothing that one member alone has is in it. */
export type FrameViewer = Pick<Viewer, 'siteName' | 'marketingUrl' | 'isOperator'> & { isMember: boolean }

import type { ReactNode } from 'react'
import type { Provider } from '#src/social/rules'
import type { Manifest } from '#src/ui/manifest'

export type ThemeName = 'dark' | 'paper'

/** The viewer of a page, with the data that every page needs. */
export type Viewer = {
  siteName: string
  /** The marketing site, for the top bar's links, without a trailing slash. */
  marketingUrl: string
  /** Null if nothing was chosen: the system's preference decides. */
  theme: ThemeName | null
  member: { firstName: string | null; lastName: string | null; email: string } | null
  /**
   * Identifies the member in this browser's storage, so that data stored for one member are not read for the next. Null
   * for visitors.
   */
  owner?: string | null
  isOperator: boolean
  /** Whether titles and icons are neutral (src/ui/discreet.ts). */
  isDiscreet?: boolean
  /** Whether the member has a PIN, entered or not. */
  hasPin?: boolean
  manifest: Manifest
  /** Providers whose accounts can sign in here; none by default. */
  providers?: readonly Provider[]
  /** A greeting for a person who has just signed in with one of them. */
  greeting?: ReactNode
}

/** The part of a viewer that frames show. Frames are cached for everybody, so it contains nothing personal. */
export type FrameViewer = Pick<Viewer, 'siteName' | 'marketingUrl' | 'isOperator'> & { isMember: boolean }

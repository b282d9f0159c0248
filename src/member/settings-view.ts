import type { FeedState } from '#src/feed/schema'
import type { PushState } from '#src/push/schema'
import type { Provider } from '#src/social/rules'
import type { OpenSession } from './operator-schema'
import type { Settings } from './settings-schema'
import type { WaysIn } from './ways-in'

/** The forms of the settings that open where they are asked for. */
export const openPanels = ['profile', 'email', 'password', 'passkey', 'history', 'delete'] as const
export type OpenPanel = (typeof openPanels)[number]
/** Every form that the server can refuse. */
export type SettingsForm = OpenPanel | 'verify-email' | 'ways-in' | 'remove-passkey'

/** Why the server refused a form, and beside which field that stands. */
export type SettingsProblem = { panel: SettingsForm; field: string | null; message: string }

/** What the settings show, as plain data. */
export type SettingsView = {
  email: string | null
  isEmailVerified: boolean
  /** The address that was refused, to be mended. */
  newEmail: string
  firstName: string
  lastName: string
  memberSince: string
  isSocial: boolean
  hasPassword: boolean
  hasPin: boolean
  waysIn: WaysIn
  /** Signed in a moment ago: no password is asked for before a way in is added. */
  isFresh: boolean
  /** Those that can be linked here. */
  providers: readonly Provider[]
  settings: Pick<
    Settings,
    'emailNotifications' | 'theme' | 'autoPlayNext' | 'hiddenCategories' | 'hiddenWords' | 'discreetMode'
  >
  sessions: OpenSession[]
  push: PushState
  /** This site has its worker: notifications can be shown. */
  hasWorker: boolean
  feeds: FeedState
  open: OpenPanel | null
  problem: SettingsProblem | null
}

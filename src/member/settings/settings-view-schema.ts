import type { FeedState } from '#src/feed/schema'
import type { OpenSession } from '#src/member/console/operator-schema'
import type { PushState } from '#src/push/schema'
import type { Provider } from '#src/social/rules'
import type { Settings, shownSettings } from './settings-schema'
import type { SignInMethods } from './sign-in-methods-schema'

/** The forms of the settings that open on request. */
export const openPanels = ['profile', 'email', 'password', 'passkey', 'history', 'delete'] as const
export type OpenPanel = (typeof openPanels)[number]
/** Every form that the server can refuse. */
export type SettingsForm = OpenPanel | 'verify-email' | 'ways-in' | 'remove-passkey'

/**
 * Why the server refused a form, and which field that is about. Rows of a panel have forms of their own: `row` is the
 * id of the passkey, or the provider.
 */
export type SettingsProblem = { panel: SettingsForm; row?: string; field: string | null; message: string }

/** The data of the settings page. */
export type SettingsView = {
  /** See `Viewer.owner`. */
  owner: string | null
  email: string | null
  isEmailVerified: boolean
  /** The refused address, for correction. */
  newEmail: string
  firstName: string
  lastName: string
  memberSince: string
  isSocial: boolean
  hasPassword: boolean
  hasPin: boolean
  signInMethods: SignInMethods
  /** Whether the member has signed in recently, so that changing the sign-in methods needs no password. */
  isFresh: boolean
  /** The providers that can be linked here. */
  providers: readonly Provider[]
  settings: Pick<Settings, (typeof shownSettings)[number]>
  sessions: OpenSession[]
  /** Describes the access that a form of this page has ended. */
  ended: string | null
  push: PushState
  /** Whether the site has a service worker, which notifications need. */
  hasWorker: boolean
  feeds: FeedState
  open: OpenPanel | null
  problem: SettingsProblem | null
}

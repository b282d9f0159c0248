/**
 * Every page, form, file and link of the program as a function, so that no address is built by hand. In islands, API
 * addresses are named by their calls instead (see islands/runtime/api.ts). These are paths only; the public origin is
 * added where one is needed (mails, feeds, Open Graph).
 */
type Query = Record<string, string | number | boolean | null | undefined>

/** A path with a query of those parameters that have a value. */
export function withQuery(path: string, query: Query): string {
  const parts = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parts.set(name, String(value))
  }
  const text = parts.toString()
  return text ? `${path}?${text}` : path
}

export const urls = {
  explore: (query: { type?: string; category?: string; length?: string; cursor?: string } = {}) =>
    withQuery('/', { ...query, type: query.type === 'story' ? undefined : query.type }),
  stories: (query: { category?: string; q?: string; length?: string; cursor?: string } = {}) =>
    withQuery('/stories', query),
  item: (item: { type: string; slug: string }) => `/${item.type}/${item.slug}`,
  /** The address of an item that its reader hides, which skips the notice in its place. */
  shownItem: (item: { type: string; slug: string }) => `/${item.type}/${item.slug}?show=once`,
  home: () => '/home',
  landing: (query: { next?: string } = {}) => withQuery('/landing', query),
  create: (query: { edit?: string } = {}) => withQuery('/create', query),
  createStories: () => '/create-stories',
  myContent: (query: { q?: string; type?: string; length?: string; sort?: string; page?: number } = {}) =>
    withQuery('/my-content', query),
  challenges: () => '/challenges',
  challenge: (id: string) => `/challenge/${id}`,
  trending: (query: { timeframe?: string; type?: string; order?: string } = {}) =>
    withQuery('/trending', query),
  storyGenerator: () => '/story-generator',
  settings: (query: { open?: string; said?: string; ended?: string } = {}) => withQuery('/settings', query),
  settingsForm: (
    form:
      | 'profile'
      | 'password'
      | 'email'
      | 'preferences'
      | 'hide'
      | 'pin'
      | 'sessions'
      | 'history'
      | 'delete'
      | 'verify-email'
      | 'unlink'
      | 'remove-passkey'
      | 'remove-device'
      | 'feeds',
  ) => `/settings/${form}`,
  accountDeleted: () => '/account-deleted',
  webManifest: (query: { look?: 'discreet' } = {}) => withQuery('/manifest.webmanifest', query),
  offline: (query: { look?: 'discreet' } = {}) => withQuery('/offline', query),
  help: () => '/help',
  contact: () => '/contact',
  privacy: () => '/privacy',
  terms: () => '/terms',
  resetPassword: (query: { token?: string; said?: 'sent' } = {}) => withQuery('/reset-password', query),
  chooseNewPassword: () => '/reset-password/choose',
  verifyEmail: (query: { token?: string; said?: 'done' } = {}) => withQuery('/verify-email', query),
  changeEmail: (query: { token?: string; said?: 'done'; ended?: string } = {}) =>
    withQuery('/change-email', query),
  signIn: (query: { next?: string; mode?: 'register'; why?: 'again' } = {}) => withQuery('/sign-in', query),
  signInCarried: () => '/sign-in/carried',
  register: () => '/register',
  signOut: () => '/sign-out',
  unlock: () => '/unlock',
  report: (itemId: string) => `/report/${itemId}`,
  voteForm: (itemId: string) => `/vote/${itemId}`,
  rateForm: (itemId: string) => `/rate/${itemId}`,
  leave: () => '/leave',
  betaSignup: () => '/beta-signup',
  premiumContent: (query: Query = {}) => withQuery('/premium-content', query),
  analytics: (query: Query = {}) => withQuery('/analytics', query),
  admin: (
    query: {
      tab?: 'overview' | 'signups'
      all?: 'true'
      said?: 'story' | 'stories' | 'flag' | 'session' | 'sessions'
    } = {},
  ) => withQuery('/admin', query),
  ageConfirm: () => '/age',
  ageCheck: (query: { next?: string } = {}) => withQuery('/age/check', query),
  ageAnswer: () => '/age/answer',
  ageAnswered: (query: { next: string }) => withQuery('/age/answered', query),
  premiumAudio: (id: string, voice: string) => `/api/premium-audio/${id}/${voice}`,
  apiItem: (id: string) => `/api/content/${id}`,
  apiAuth: (action: 'google' | 'apple' | 'facebook') => `/api/auth/${action}`,
  apiSocialCallback: (provider: 'google' | 'apple' | 'facebook') => `/api/auth/${provider}/callback`,
  apiExport: () => '/api/user/export',
  openapi: () => '/api/openapi.json',
  asset: (name: string) => `/assets/${name}`,
}

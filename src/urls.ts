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
  premiumImport: () => '/premium-content/import',
  analytics: (query: Query = {}) => withQuery('/analytics', query),
  admin: (
    query: {
      tab?: 'overview' | 'signups'
      all?: 'true'
      said?: 'story' | 'stories' | 'flag' | 'session' | 'sessions'
    } = {},
  ) => withQuery('/admin', query),
  adminLogin: () => '/admin-login',
  adminLogout: () => '/admin-logout',
  pasteTemplate: () => '/admin/template.tsv',
  adminStory: () => '/admin/story',
  adminStories: () => '/admin/stories',
  adminFlags: () => '/admin/flags',
  adminSessions: () => '/admin/sessions',
  training: (query: { tab?: string; all?: 'true'; cursor?: string; rule?: string } = {}) =>
    withQuery('/training', query),
  challengeEditor: (query: { id?: string } = {}) => withQuery('/challenge-editor', query),
  studio: (id: string) => `/studio/${id}`,
  jobs: (query: { state?: string; kind?: string; cursor?: string; job?: string; imports?: string } = {}) =>
    withQuery('/jobs', query),
  moderation: (query: { state?: string; cursor?: string } = {}) => withQuery('/moderation', query),
  feedback: (query: { item?: string; cursor?: string } = {}) => withQuery('/feedback', query),
  members: (query: { q?: string; state?: string; cursor?: string; said?: string } = {}) =>
    withQuery('/members', query),
  member: (id: string, query: { said?: string } = {}) => withQuery(`/members/${id}`, query),
  memberForm: (id: string, form: 'suspend' | 'lift' | 'sign-out' | 'delete') => `/members/${id}/${form}`,
  modelConfig: () => '/model-config',
  audioTest: () => '/audio-test',
  ageConfirm: () => '/age',
  ageCheck: (query: { next?: string } = {}) => withQuery('/age/check', query),
  ageAnswer: () => '/age/answer',
  ageAnswered: (query: { next: string }) => withQuery('/age/answered', query),

  /** The address of a member's private feed, which contains its key. */
  podcast: (token: string, page = 1) =>
    withQuery(`/feed/${token}.xml`, { page: page > 1 ? page : undefined }),
  catalogue: (token: string, page = 1) => withQuery(`/opds/${token}`, { page: page > 1 ? page : undefined }),
  feedArt: (token: string, version: string) => withQuery(`/feed/${token}/art.png`, { v: version }),
  feedItemArt: (token: string, id: string, version: string) => `/feed/${token}/${id}/art-${version}.png`,
  feedText: (token: string, id: string) => `/feed/${token}/${id}/text.xhtml`,
  feedTranscript: (token: string, id: string, voice: string) => `/feed/${token}/${id}/${voice}.vtt`,
  feedAudio: (token: string, id: string, voice: string, extension: string) =>
    `/feed/${token}/${id}/${voice}.${extension}`,
  premiumAudio: (id: string, voice: string) => `/api/premium-audio/${id}/${voice}`,
  apiItem: (id: string) => `/api/content/${id}`,
  apiAuth: (action: 'google' | 'apple' | 'facebook') => `/api/auth/${action}`,
  apiSocialCallback: (provider: 'google' | 'apple' | 'facebook') => `/api/auth/${provider}/callback`,
  apiMemberExport: (id: string) => `/api/members/${id}/export`,
  apiJobEvents: () => '/api/jobs/events',
  apiFailedRows: (id: string) => `/api/import-drafts/${id}/failed-rows`,
  apiSettings: () => '/api/user/settings',
  apiExport: () => '/api/user/export',
  openapi: () => '/api/openapi.json',

  asset: (name: string) => `/assets/${name}`,
}

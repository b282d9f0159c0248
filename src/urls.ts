/**
 * Every address of the program as a function: server, browser and tests build none by hand.
 * Paths only; the outside origin is put in front where one is needed (mails, feeds, Open Graph).
 */
type Query = Record<string, string | number | boolean | null | undefined>

/** A path with the parts of a query that have a value. */
export function withQuery(path: string, query: Query): string {
  const parts = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parts.set(name, String(value))
  }
  const text = parts.toString()
  return text ? `${path}?${text}` : path
}

export const urls = {
  explore: (query: { type?: string; category?: string; cursor?: string } = {}) =>
    withQuery('/', { ...query, type: query.type === 'story' ? undefined : query.type }),
  stories: (query: { category?: string; q?: string; cursor?: string } = {}) => withQuery('/stories', query),
  item: (item: { type: string; slug: string }) => `/${item.type}/${item.slug}`,
  /** Past the notice that stands before what its reader hides. */
  shownItem: (item: { type: string; slug: string }) => `/${item.type}/${item.slug}?show=once`,
  home: () => '/home',
  landing: () => '/landing',
  create: (query: { edit?: string } = {}) => withQuery('/create', query),
  createStories: () => '/create-stories',
  myContent: (query: { q?: string; type?: string; sort?: string; page?: number } = {}) =>
    withQuery('/my-content', query),
  challenges: () => '/challenges',
  challenge: (id: string) => `/challenge/${id}`,
  trending: (query: { timeframe?: string; type?: string; order?: string } = {}) =>
    withQuery('/trending', query),
  storyGenerator: () => '/story-generator',
  settings: (query: { open?: string; said?: string } = {}) => withQuery('/settings', query),
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
  changeEmail: (query: { token?: string; said?: 'done' } = {}) => withQuery('/change-email', query),
  signIn: (query: { next?: string; mode?: 'register'; why?: 'again' } = {}) => withQuery('/sign-in', query),
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
  admin: (query: { tab?: 'overview' | 'signups'; all?: 'true'; said?: 'flag' } = {}) =>
    withQuery('/admin', query),
  adminLogin: () => '/admin-login',
  adminLogout: () => '/admin-logout',
  pasteTemplate: () => '/admin/template.tsv',
  adminStory: () => '/admin/story',
  adminStories: () => '/admin/stories',
  adminFlags: () => '/admin/flags',
  training: (query: { tab?: string; all?: 'true'; cursor?: string } = {}) => withQuery('/training', query),
  challengeEditor: (query: { id?: string } = {}) => withQuery('/challenge-editor', query),
  studio: (id: string) => `/studio/${id}`,
  jobs: (query: { state?: string; cursor?: string } = {}) => withQuery('/jobs', query),
  audit: (query: { actor?: string; cursor?: string } = {}) => withQuery('/audit', query),
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
  /** The picture of a title; `v` changes when the drawing does, since browsers keep it for ever. */
  cover: (title: string) => withQuery('/cover', { title, v: 1 }),

  /** A member's private feeds, opened by the key in the address. */
  podcast: (token: string) => `/feed/${token}.xml`,
  catalogue: (token: string) => `/opds/${token}`,
  feedAudio: (token: string, id: string, voice: string, extension: string) =>
    `/feed/${token}/${id}/${voice}.${extension}`,
  premiumAudio: (id: string, voice: string) => `/api/premium-audio/${id}/${voice}`,
  apiTimings: (id: string, voice: string) => `/api/premium-audio/${id}/${voice}/timings`,
  apiContent: () => '/api/content',
  apiChallenges: () => '/api/challenges',
  apiChallenge: (id: string) => `/api/challenges/${id}`,
  apiUserChallenges: () => '/api/user/challenges',
  apiUserChallenge: (id: string) => `/api/user/challenges/${id}`,
  apiChallengeDay: (id: string, day: number) => `/api/user/challenges/${id}/days/${day}`,
  apiItem: (id: string) => `/api/content/${id}`,
  apiNext: (id: string, query: { chosen?: string; around?: string; without?: string } = {}) =>
    withQuery(`/api/content/${id}/next`, query),
  apiAuth: (action: 'user' | 'login' | 'register' | 'logout' | 'google' | 'apple' | 'facebook') =>
    `/api/auth/${action}`,
  apiSocialCallback: (provider: 'google' | 'apple' | 'facebook') => `/api/auth/${provider}/callback`,
  apiPasskeySignIn: (step?: 'options') => (step ? '/api/auth/passkey/options' : '/api/auth/passkey'),
  apiPasskeys: (step?: 'options') => (step ? '/api/user/passkeys/options' : '/api/user/passkeys'),
  apiPasskey: (id: string) => `/api/user/passkeys/${id}`,
  apiWaysIn: () => '/api/user/ways-in',
  apiIdentity: (provider: string) => `/api/user/identities/${provider}`,
  apiVerifyEmail: () => '/api/user/verify-email',
  apiAdmin: (action: 'status' | 'login' | 'logout' | 'beta-signups') => `/api/admin/${action}`,
  apiStories: () => '/api/stories',
  apiStoriesBulk: (query: { dryRun?: 'true' } = {}) => withQuery('/api/stories/bulk', query),
  apiPremium: () => '/api/premium-content',
  apiPremiumBulk: () => '/api/premium-content/bulk',
  apiPremiumItem: (id: string) => `/api/premium-content/${id}`,
  apiPremiumRestore: (id: string) => `/api/premium-content/${id}/restore`,
  apiPremiumAudioUpload: (id: string) => `/api/premium-content/${id}/upload-audio`,
  apiScript: (id: string) => `/api/stories/${id}/script`,
  apiEnhance: (id: string) => `/api/stories/${id}/enhance`,
  apiNarrate: (id: string) => `/api/stories/${id}/narrate`,
  apiPremiumStats: () => '/api/premium-content-stats',
  apiAnalytics: (call: 'summary' | 'behavior' | 'realtime' | 'content', query: Query) =>
    withQuery(`/api/analytics/${call}`, query),
  apiMemberExport: (id: string) => `/api/members/${id}/export`,
  apiFlags: () => '/api/feature-flags',
  apiJobEvents: () => '/api/jobs/events',
  apiJob: (id: string, action: 'retry' | 'cancel') => `/api/jobs/${id}/${action}`,
  apiImportUndo: (id: string) => `/api/imports/${id}/undo`,
  apiImportDrafts: () => '/api/import-drafts',
  apiImportDraft: (id: string) => `/api/import-drafts/${id}`,
  apiImportDraftFile: (id: string, fileId: string) => `/api/import-drafts/${id}/files/${fileId}`,
  apiImportDraftPart: (id: string, part: 'sheet' | 'files' | 'plan' | 'apply' | 'failed-rows') =>
    `/api/import-drafts/${id}/${part}`,
  apiExcelImport: () => '/api/premium-content/excel-import',
  apiTestAudio: () => '/api/test-audio',
  apiTestAudioEstimate: () => '/api/test-audio/estimate',
  apiGuidelines: () => '/api/content-guidelines',
  apiGuideline: (id: string) => `/api/content-guidelines/${id}`,
  apiGuidelinesTest: () => '/api/content-guidelines/test',
  apiExamples: () => '/api/training-examples',
  apiExample: (id: string) => `/api/training-examples/${id}`,
  apiHeld: (id: string) => `/api/held-content/${id}`,
  apiVote: (itemId: string) => `/api/stories/${itemId}/vote`,
  apiFeedback: (itemId: string) => `/api/stories/${itemId}/feedback`,
  apiComments: (query: { item?: string; limit?: number; cursor?: string } = {}) =>
    withQuery('/api/feedback', query),
  apiComment: (id: string) => `/api/feedback/${id}`,
  apiReport: (itemId: string) => `/api/stories/${itemId}/flags`,
  apiContentFlags: (query: { state?: string; limit?: number; cursor?: string } = {}) =>
    withQuery('/api/content-flags', query),
  apiContentFlag: (id: string) => `/api/content-flags/${id}`,
  apiModelConfig: () => '/api/model-config',
  apiModelTest: () => '/api/model-config/test',
  apiBetaSignup: () => '/api/beta-signup',
  apiFavorites: () => '/api/content-favorites',
  apiFavorite: (contentKey: string) => `/api/content-favorites/${encodeURIComponent(contentKey)}`,
  apiAccount: () => '/api/user',
  apiSettings: () => '/api/user/settings',
  apiPassword: () => '/api/user/password',
  apiEmail: () => '/api/user/email',
  apiSessions: () => '/api/user/sessions',
  apiHistory: () => '/api/user/history',
  apiFeeds: () => '/api/user/feeds',
  apiOffline: () => '/api/user/offline',
  apiPush: () => '/api/user/push',
  apiPushTrial: () => '/api/user/push/test',
  apiPushDevice: (id: string) => `/api/user/push/${id}`,
  apiExport: () => '/api/user/export',
  apiUserContent: () => '/api/user/content',
  apiOwnItem: (id: string) => `/api/user/content/${id}`,
  apiOwnCheck: () => '/api/user/content/check',
  apiOwnNarration: (id: string) => `/api/user/content/${id}/narrate`,
  apiOwnJob: (id: string) => `/api/user/content/${id}/job`,
  apiOwnShare: (id: string) => `/api/user/content/${id}/share`,
  apiDrafts: () => '/api/drafts',
  apiProgress: () => '/api/analytics/progress',
  apiProgressOf: (contentId: string, contentType: string) =>
    `/api/analytics/progress/${contentId}/${contentType}`,
  apiDocs: () => '/api/docs',
  openapi: () => '/api/openapi.json',

  asset: (name: string) => `/assets/${name}`,
}

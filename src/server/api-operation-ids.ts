import type { Answers } from './api-answers'

/**
 * The id of a call, from which generators make a function name: `listContent`, `getPremiumAudio`,
 * `restorePremiumContent`. It is derived from the address; a table has the ids that would read badly otherwise.
 */
export function operationIdOf(name: string, { responses = {} }: { responses?: Answers }): string {
  const own = operationIds[name]
  if (own) return own
  const [method = '', path = ''] = name.split(' ')
  const segments = path.split('/').slice(2)
  const nouns = segments.flatMap((segment, at) =>
    segment.startsWith(':') ? [] : [segments[at + 1]?.startsWith(':') ? singular(segment) : segment],
  )
  const last = nouns.at(-1) ?? ''
  if (method === 'POST' && acts.has(last)) return camel([last, ...nouns.slice(0, -1)])
  const answers = Object.values(responses[200]?.content ?? {})[0]?.schema
  if (method === 'GET') return camel([answers?.type === 'array' ? 'list' : 'get', ...nouns])
  if (method === 'POST') return camel(['create', ...nouns.slice(0, -1), singular(last)])
  return camel([method === 'DELETE' ? 'delete' : 'update', ...nouns])
}

/** Last segments of an address that are verbs. */
const acts = new Set(
  'apply cancel check enhance estimate narrate preview prioritize restore retry share test undo'.split(' '),
)

const operationIds: Record<string, string> = {
  'GET /api/content/:id/next': 'getNextContent',
  'GET /api/content/trending': 'listTrendingContent',
  'GET /api/creators/top': 'listTopCreators',
  'GET /api/stats/trending': 'getTrendingStats',
  'POST /api/auth/login': 'signIn',
  'POST /api/auth/register': 'register',
  'POST /api/auth/logout': 'signOut',
  'POST /api/auth/forgot-password': 'requestPasswordReset',
  'POST /api/auth/reset-password': 'resetPassword',
  'POST /api/auth/verify-email': 'verifyEmail',
  'POST /api/auth/change-email': 'confirmEmailChange',
  'GET /api/auth/user': 'getCurrentUser',
  'GET /api/auth/google': 'beginGoogleSignIn',
  'GET /api/auth/apple': 'beginAppleSignIn',
  'GET /api/auth/facebook': 'beginFacebookSignIn',
  'GET /api/auth/google/callback': 'endGoogleSignIn',
  'GET /api/auth/apple/callback': 'endAppleSignIn',
  'POST /api/auth/apple/callback': 'receiveAppleSignIn',
  'GET /api/auth/facebook/callback': 'endFacebookSignIn',
  'POST /api/auth/passkey/options': 'beginPasskeySignIn',
  'POST /api/auth/passkey': 'signInWithPasskey',
  'GET /api/user/ways-in': 'getSignInMethods',
  'POST /api/user/passkeys/options': 'beginPasskeyCreation',
  'POST /api/content-favorites': 'addFavorite',
  'GET /api/content-favorites': 'listFavorites',
  'DELETE /api/content-favorites/:contentKey': 'removeFavorite',
  'DELETE /api/user/content/:id/job': 'cancelUserContentJob',
  'DELETE /api/user/content/:id/share': 'unshareUserContent',
  'POST /api/user/challenges': 'joinChallenge',
  'PATCH /api/user/challenges/:id': 'updateUserChallenge',
  'PUT /api/user/challenges/:id/days/:day': 'completeChallengeDay',
  'DELETE /api/user/challenges/:id': 'leaveChallenge',
  'PATCH /api/user': 'updateProfile',
  'DELETE /api/user': 'deleteAccount',
  'POST /api/user/password': 'changePassword',
  'POST /api/user/email': 'requestEmailChange',
  'POST /api/user/verify-email': 'requestEmailVerification',
  'DELETE /api/user/sessions': 'endOtherSessions',
  'DELETE /api/user/history': 'clearHistory',
  'GET /api/user/export': 'exportUser',
  'POST /api/user/offline': 'checkOfflineItems',
  'POST /api/user/push': 'addPushDevice',
  'DELETE /api/user/push/:id': 'removePushDevice',
  'POST /api/user/push/test': 'testPush',
  'POST /api/drafts': 'draftStory',
  'POST /api/analytics/progress': 'saveProgress',
  'GET /api/analytics/progress/:contentId/:contentType': 'getProgress',
  'POST /api/analytics/session': 'reportAnalyticsSession',
  'POST /api/analytics/events': 'reportAnalyticsEvents',
  'GET /api/analytics/content': 'listContentAnalytics',
  'GET /api/analytics/retention/:contentId': 'getRetention',
  'GET /api/analytics/export': 'exportAnalytics',
  'POST /api/beta-signup': 'signUpForBeta',
  'POST /api/admin/login': 'signInOperator',
  'POST /api/admin/logout': 'signOutOperator',
  'GET /api/admin/beta-signups': 'listBetaSignups',
  'GET /api/admin/challenges': 'listAllChallenges',
  'DELETE /api/admin/sessions': 'endOtherOperatorSessions',
  'DELETE /api/admin/sessions/:id': 'endOperatorSession',
  'GET /api/audit': 'listAuditChanges',
  'GET /api/audit/export': 'exportAudit',
  'GET /api/audit/:id/items': 'listAuditItems',
  'DELETE /api/demo': 'takeDemoAway',
  'DELETE /api/members/:id/sessions': 'signOutMember',
  'POST /api/members/:id/suspension': 'suspendMember',
  'DELETE /api/members/:id/suspension': 'liftSuspension',
  'GET /api/members/:id/export': 'exportMember',
  'POST /api/stories/bulk': 'createManyStories',
  'POST /api/test-audio': 'testAudio',
  'POST /api/test-audio/estimate': 'estimateTestAudio',
  'POST /api/stories/:id/narrate/estimate': 'estimateNarration',
  'GET /api/jobs/events': 'watchJobs',
  'GET /api/premium-content': 'listPremiumContent',
  'POST /api/premium-content/bulk': 'createManyPremiumContent',
  'PATCH /api/premium-content': 'changeManyPremiumContent',
  'POST /api/premium-content/changes/:id/undo': 'undoPremiumContentChange',
  'POST /api/premium-content/:id/upload-audio': 'uploadAudio',
  'POST /api/premium-content/excel-import': 'importSheet',
  'POST /api/model-config': 'saveModelConfig',
  'PATCH /api/held-content': 'reviewManyHeldContent',
  'PATCH /api/held-content/:id': 'reviewHeldContent',
  'POST /api/stories/:id/vote': 'voteForStory',
  'POST /api/stories/:id/feedback': 'rateStory',
  'POST /api/stories/:id/flags': 'reportStory',
  'PATCH /api/content-flags/:id': 'decideContentFlag',
  'PUT /api/import-drafts/:id/files': 'announceImportFiles',
  'POST /api/import-drafts/:id/files': 'uploadImportFile',
  'POST /api/import-drafts/:id/sheet': 'uploadImportSheet',
  'GET /api/openapi.json': 'getOpenApi',
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/(?<![su])s$/, '')
}

function camel(parts: readonly string[]): string {
  return parts.join('-').replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())
}

import { withQuery } from '#src/urls'

/** Addresses that only pages of the console use. They are not in src/urls.ts, all of which the service worker loads. */
export const consoleUrls = {
  premiumImport: () => '/premium-content/import',
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
  apiMemberExport: (id: string) => `/api/members/${id}/export`,
  apiJobEvents: () => '/api/jobs/events',
  apiFailedRows: (id: string) => `/api/import-drafts/${id}/failed-rows`,
  audit: (query: AuditQuery = {}) => withQuery('/audit', query),
  auditChange: (id: string, query: { cursor?: number } = {}) => withQuery(`/audit/${id}`, query),
  restoreNarration: (id: string) => `/studio/${id}/narration`,
  narrationAudio: (id: string, narrationId: string) =>
    `/api/premium-content/${id}/narrations/${narrationId}/audio`,
  undoMany: () => '/audit/undo',
  setup: (query: { said?: 'remove' | 'restore' | 'mail' } = {}) => withQuery('/setup', query),
  setupMail: () => '/setup/mail',
  setupDemo: () => '/setup/demo',
  apiAnalyticsExport: (query: { figure: string; days?: number; item?: string }) =>
    withQuery('/api/analytics/export', query),
  apiAuditExport: (query: AuditQuery = {}) => withQuery('/api/audit/export', query),
}

type AuditQuery = {
  actor?: string
  action?: string
  item?: string
  from?: string
  to?: string
  cursor?: string
}

import { withQuery } from '#src/urls'

/** Addresses that only pages of the console use. They are not in src/urls.ts, all of which the service worker loads. */
export const consoleUrls = {
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

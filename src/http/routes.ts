/**
 * The table of contents of the program's doors: every route, who may open it and what body it takes.
 * What does not stand here does not exist (default deny); `createApp` refuses to start when this table and
 * the mounted routes differ.
 */
export type Access = 'public' | 'member' | 'operator'
export type Route = {
  access: Access
  /** What a page is may be behind the age gate; the rest keeps its own rules. */
  kind: 'api' | 'page' | 'open'
  body?: 'json' | 'form' | 'stream'
  bodyBytesMax?: number
  /** Taken from another site's page: the handler itself has to know that this browser asked for it. */
  isCrossSite?: true
  /**
   * The page is the same for every visitor (or for every newcomer, who has no visitor's cookie yet), so it is
   * kept in memory for a moment.
   */
  isKept?: 'visitors' | 'newcomers'
}

const KB = 1024
const MB = 1024 * KB

const get = (access: Access): Route => ({ access, kind: 'api' })
const json = (access: Access, bodyBytesMax = 64 * KB): Route => ({
  access,
  kind: 'api',
  body: 'json',
  bodyBytesMax,
})
const upload = (access: Access, bodyBytesMax: number): Route => ({
  access,
  kind: 'api',
  body: 'stream',
  bodyBytesMax,
})
/** A page for adults: behind the age gate. */
const page: Route = { access: 'public', kind: 'page' }
const keptPage = (isKept: Route['isKept']): Route => ({ ...page, isKept })
/** Pages and files that anyone may read at any age: law, help, machines. */
const open: Route = { access: 'public', kind: 'open' }
const form: Route = { access: 'public', kind: 'open', body: 'form', bodyBytesMax: 16 * KB }
const memberForm: Route = { ...form, access: 'member' }

const operatorPage: Route = { access: 'operator', kind: 'open' }
const operatorForm: Route = { access: 'operator', kind: 'open', body: 'form', bodyBytesMax: 32 * MB }
/** What an operator types about a member. */
const memberCare: Route = { ...operatorForm, bodyBytesMax: 16 * KB }

/** One narration can be large; a batch of MP3s larger. Both are streamed. */
const uploadBytesMax = 1024 * MB
const importBytesMax = 2048 * MB

export const routes: Record<string, Route> = {
  'GET /api/content': get('public'),
  'GET /api/content/categories': get('public'),
  'GET /api/content/trending': get('public'),
  'GET /api/stats/trending': get('public'),
  'GET /api/creators/top': get('public'),
  'GET /api/content/:id': get('public'),
  'GET /api/content/:id/next': get('public'),
  'GET /api/premium-audio/:id/:voice': get('public'),
  'GET /api/premium-audio/:id/:voice/timings': get('public'),
  'PUT /api/premium-audio/:id/:voice/timings': json('operator', 16 * MB),

  'GET /api/auth/user': get('public'),
  'POST /api/auth/login': json('public'),
  'POST /api/auth/register': json('public'),
  'POST /api/auth/logout': json('public'),
  'POST /api/auth/forgot-password': json('public'),
  'POST /api/auth/reset-password': json('public'),
  'POST /api/auth/verify-email': json('public'),
  'GET /api/auth/google': get('public'),
  'GET /api/auth/apple': get('public'),
  'GET /api/auth/facebook': get('public'),
  'GET /api/auth/google/callback': get('public'),
  'GET /api/auth/apple/callback': get('public'),
  'GET /api/auth/facebook/callback': get('public'),
  // Apple has the browser post its answer from Apple's page: what binds it to this browser is the state.
  'POST /api/auth/apple/callback': {
    ...get('public'),
    body: 'form',
    bodyBytesMax: 16 * KB,
    isCrossSite: true,
  },
  'POST /api/auth/passkey/options': json('public'),
  'POST /api/auth/passkey': json('public'),
  'GET /api/user/ways-in': get('member'),
  'POST /api/user/passkeys/options': json('member'),
  'POST /api/user/passkeys': json('member'),
  'DELETE /api/user/passkeys/:id': json('member'),
  'DELETE /api/user/identities/:provider': json('member'),
  'GET /api/content-favorites': get('member'),
  'POST /api/content-favorites': json('member'),
  'DELETE /api/content-favorites/:contentKey': json('member'),
  'GET /api/user/content': get('member'),
  'POST /api/user/content': json('member', 512 * KB),
  'POST /api/user/content/check': json('member', 512 * KB),
  'PUT /api/user/content/:id': json('member', 512 * KB),
  'DELETE /api/user/content/:id': json('member'),
  'POST /api/user/content/:id/narrate': json('member'),
  'GET /api/user/content/:id/job': get('member'),
  'DELETE /api/user/content/:id/job': json('member'),
  'POST /api/user/content/:id/share': json('member'),
  'DELETE /api/user/content/:id/share': json('member'),
  'GET /api/user/challenges': get('member'),
  'POST /api/user/challenges': json('member'),
  'PATCH /api/user/challenges/:id': json('member'),
  'PUT /api/user/challenges/:id/days/:day': json('member'),
  'DELETE /api/user/challenges/:id': json('member'),
  'GET /api/user/limits': get('member'),
  'GET /api/user/settings': get('member'),
  'PATCH /api/user/settings': json('member'),
  'PATCH /api/user': json('member'),
  'DELETE /api/user': json('member'),
  'POST /api/user/password': json('member'),
  'POST /api/user/verify-email': json('member'),
  'GET /api/user/sessions': get('member'),
  'DELETE /api/user/sessions': json('member'),
  'DELETE /api/user/history': json('member'),
  'GET /api/user/export': get('member'),
  'GET /api/user/feeds': get('member'),
  'POST /api/user/feeds': json('member'),
  'DELETE /api/user/feeds': json('member'),
  'POST /api/drafts': json('member'),
  'POST /api/analytics/progress': json('public'),
  'GET /api/analytics/progress/:contentId/:contentType': get('public'),
  'POST /api/analytics/session': json('public', 8 * KB),
  'POST /api/analytics/events': json('public'),
  'GET /api/analytics/summary': get('operator'),
  'GET /api/analytics/behavior': get('operator'),
  'GET /api/analytics/realtime': get('operator'),
  'GET /api/analytics/content': get('operator'),
  'GET /api/analytics/content-trends': get('operator'),
  'GET /api/analytics/searches': get('operator'),
  'GET /api/analytics/retention/:contentId': get('operator'),
  'GET /api/analytics/conversion': get('operator'),
  'POST /api/beta-signup': json('public'),

  'GET /api/admin/status': get('public'),
  'POST /api/admin/login': json('public'),
  'POST /api/admin/logout': json('public'),
  'GET /api/admin/beta-signups': get('operator'),
  'GET /api/audit': get('operator'),
  'GET /api/members': get('operator'),
  'GET /api/members/:id': get('operator'),
  'DELETE /api/members/:id': json('operator'),
  'POST /api/members/:id/suspension': json('operator'),
  'DELETE /api/members/:id/suspension': json('operator'),
  'DELETE /api/members/:id/sessions': json('operator'),
  'GET /api/members/:id/export': get('operator'),
  'GET /api/feature-flags': get('operator'),
  'PATCH /api/feature-flags': json('operator'),
  'GET /api/stories': get('public'),
  'POST /api/stories': json('operator', 8 * MB),
  'POST /api/stories/bulk': json('operator', 32 * MB),
  'GET /api/stories/:id/script': get('operator'),
  'PUT /api/stories/:id/script': json('operator', 8 * MB),
  'POST /api/stories/:id/enhance': json('operator'),
  'POST /api/stories/:id/narrate': json('operator'),
  'POST /api/stories/:id/narrate/estimate': json('operator'),
  'POST /api/test-audio': json('operator', 512 * KB),
  'POST /api/test-audio/estimate': json('operator', 512 * KB),
  'GET /api/jobs': get('operator'),
  'GET /api/jobs/events': get('operator'),
  'POST /api/jobs/:id/retry': json('operator'),
  'POST /api/jobs/:id/cancel': json('operator'),
  'GET /api/premium-content': get('operator'),
  'GET /api/premium-content-stats': get('operator'),
  'POST /api/premium-content': json('operator', 8 * MB),
  'POST /api/premium-content/bulk': json('operator', 32 * MB),
  'GET /api/premium-content/:id': get('operator'),
  'POST /api/premium-content/:id/restore': json('operator'),
  'PUT /api/premium-content/:id': json('operator', 8 * MB),
  'DELETE /api/premium-content/:id': json('operator'),
  'POST /api/premium-content/:id/upload-audio': upload('operator', uploadBytesMax),
  'POST /api/premium-content/excel-import': upload('operator', importBytesMax),
  'GET /api/content-guidelines': get('operator'),
  'POST /api/content-guidelines': json('operator', 256 * KB),
  'PATCH /api/content-guidelines/:id': json('operator'),
  'DELETE /api/content-guidelines/:id': json('operator'),
  'POST /api/content-guidelines/test': json('operator', 8 * MB),
  'GET /api/model-config': get('operator'),
  'POST /api/model-config': json('operator'),
  'POST /api/model-config/test': json('operator'),
  'GET /api/training-examples': get('operator'),
  'POST /api/training-examples': json('operator', 512 * KB),
  'PATCH /api/training-examples/:id': json('operator', 512 * KB),
  'DELETE /api/training-examples/:id': json('operator'),
  'GET /api/held-content': get('operator'),
  'PATCH /api/held-content/:id': json('operator'),
  'POST /api/stories/:id/vote': json('member', 4 * KB),
  'POST /api/stories/:id/feedback': json('member', 16 * KB),
  'GET /api/stories/:id/feedback': get('operator'),
  'POST /api/stories/:id/flags': json('public', 16 * KB),
  'GET /api/content-flags': get('operator'),
  'PATCH /api/content-flags/:id': json('operator'),
  'GET /api/challenges': get('public'),
  'GET /api/challenges/:id': get('public'),
  'GET /api/admin/challenges': get('operator'),
  'POST /api/challenges': json('operator'),
  'PUT /api/challenges/:id': json('operator'),
  'DELETE /api/challenges/:id': json('operator'),
  'GET /api/imports': get('operator'),
  'POST /api/imports/:id/undo': json('operator'),
  'GET /api/import-drafts': get('operator'),
  'POST /api/import-drafts': json('operator', 512 * KB),
  'GET /api/import-drafts/:id': get('operator'),
  'DELETE /api/import-drafts/:id': json('operator'),
  'POST /api/import-drafts/:id/sheet': upload('operator', 101 * MB),
  'PUT /api/import-drafts/:id/files': json('operator', 512 * KB),
  'POST /api/import-drafts/:id/files': upload('operator', uploadBytesMax + MB),
  'DELETE /api/import-drafts/:id/files/:fileId': json('operator'),
  'GET /api/import-drafts/:id/plan': get('operator'),
  'POST /api/import-drafts/:id/apply': json('operator'),
  'GET /api/import-drafts/:id/failed-rows': get('operator'),

  'GET /api/openapi.json': get('public'),
  'GET /api/docs': open,

  'GET /': keptPage('visitors'),
  'GET /stories': keptPage('newcomers'),
  'GET /story/:slug': page,
  'GET /flow/:slug': page,
  'GET /report/:id': page,
  'POST /report/:id': form,
  'POST /vote/:id': form,
  'POST /rate/:id': form,
  'GET /trending': keptPage('visitors'),
  'GET /home': keptPage('newcomers'),
  'GET /story-generator': keptPage('newcomers'),
  'GET /landing': keptPage('visitors'),
  'GET /my-content': page,
  'GET /create': page,
  // As long as the longest text that a member may write, every letter of it as %XX%XX%XX.
  'POST /create': { ...form, bodyBytesMax: MB },
  'GET /create-stories': page,
  'GET /challenges': page,
  'GET /challenge/:id': page,
  'POST /challenge/:id': form,
  'GET /settings': page,
  'POST /settings/profile': memberForm,
  'POST /settings/password': memberForm,
  'POST /settings/preferences': memberForm,
  'POST /settings/hide': memberForm,
  'POST /settings/sessions': memberForm,
  'POST /settings/history': memberForm,
  'POST /settings/delete': memberForm,
  'POST /settings/feeds': memberForm,
  'POST /settings/verify-email': memberForm,
  'POST /settings/unlink': memberForm,
  'POST /settings/remove-passkey': memberForm,
  'GET /account-deleted': open,
  'GET /sign-in': page,
  'POST /sign-in': form,
  'POST /register': form,
  'POST /sign-out': form,
  // A link in a mail may be opened where nobody has confirmed an age, and there is nothing to see.
  'GET /reset-password': open,
  'POST /reset-password': form,
  'POST /reset-password/choose': form,
  'GET /verify-email': open,
  'POST /verify-email': form,
  'POST /beta-signup': form,

  // Who has no operator's session sees the card that asks for the token; the rest of the page is not made.
  'GET /admin': open,
  'GET /admin-login': open,
  'POST /admin-login': form,
  'POST /admin-logout': form,
  'GET /premium-content': open,
  'GET /analytics': open,
  'GET /audio-test': open,
  'GET /model-config': open,
  'GET /challenge-editor': open,
  'GET /jobs': open,
  'GET /studio/:id': open,
  'GET /audit': open,
  'GET /training': open,
  'GET /moderation': open,
  'GET /admin/template.tsv': operatorPage,
  'POST /admin/story': operatorForm,
  'POST /admin/stories': operatorForm,
  'GET /members': open,
  'GET /members/:id': open,
  'POST /members/:id/suspend': memberCare,
  'POST /members/:id/lift': memberCare,
  'POST /members/:id/sign-out': memberCare,
  'POST /members/:id/delete': memberCare,
  'POST /admin/flags': { ...operatorForm, bodyBytesMax: 16 * KB },

  'GET /help': open,
  'GET /contact': open,
  'GET /privacy': open,
  'GET /terms': open,

  'POST /age': form,
  'GET /age/check': open,
  'GET /age/answer': open,
  'GET /leave': open,
  'GET /cover': open,
  'GET /feed/:token': open,
  'GET /feed/:token/:id/:file': open,
  'GET /opds/:token': open,
  'GET /healthz': open,
  'GET /readyz': open,
  'GET /metrics': open,
  'GET /robots.txt': open,
  'GET /sitemap.xml': open,
}

type Pattern = { segments: string[]; method: string; route: Route }

/** Routes without a parameter by name; the others as patterns, looked at only where no name fits. */
const named = new Map<string, Route>()
const paths = new Set<string>()
const patterns: Pattern[] = []
for (const [name, route] of Object.entries(routes)) {
  const [method = '', path = ''] = name.split(' ')
  if (path.includes(':')) patterns.push({ method, segments: path.split('/'), route })
  else {
    named.set(name, route)
    paths.add(path)
  }
}

/**
 * The route of a method and path; HEAD is answered by GET. `isElsewhere` says that the path exists under
 * another method. Paths are matched segment by segment, undecoded: `%2f`, `%00`, `//` and a trailing slash
 * match nothing.
 */
export function findRoute(method: string, pathname: string): { route: Route | null; isElsewhere: boolean } {
  const asked = method === 'HEAD' ? 'GET' : method
  const route = named.get(`${asked} ${pathname}`)
  if (route) return { route, isElsewhere: false }
  if (paths.has(pathname)) return { route: null, isElsewhere: true }
  const segments = pathname.split('/')
  const fitting = patterns.filter((pattern) => fits(pattern.segments, segments))
  const found = fitting.find((pattern) => pattern.method === asked)
  return { route: found?.route ?? null, isElsewhere: !found && fitting.length > 0 }
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, at) => {
    const segment = segments[at] ?? ''
    return part.startsWith(':') ? segment.length > 0 && !/%2f|%00/i.test(segment) : part === segment
  })
}

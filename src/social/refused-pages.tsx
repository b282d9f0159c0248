import { answerOf } from '#src/http/errors'
import { safePath } from '#src/http/safe-path'
import { settingsPage } from '#src/member/settings/settings-pages'
import type { RequestContext } from '#src/request/context'
import { withStatusOf } from '#src/request/render'
import { signInPage } from '#src/sign-in/pages'
import type { Beginning } from './begin'

/** Renders a page with the error and a way on; a program gets the usual error of an API call. */
export async function refusedPage(
  context: RequestContext,
  beginning: Beginning,
  error: unknown,
): Promise<Response> {
  const answer = answerOf(error, context.services.log, context.id)
  if (answer.status === 500 || !isNavigation(context.request)) throw error
  const { message } = answer
  const { userId, next, unsent } = beginning
  const page =
    userId && context.caller.member
      ? settingsPage(context, { problem: { panel: 'ways-in', field: null, message } })
      : signInPage(context, 'sign-in', { next: safePath(next), unsent, problem: { field: null, message } })
  return withStatusOf(answer, await page)
}

/** Whether a browser navigates. Sec-Fetch headers decide; older browsers send an Accept header with HTML for a page. */
function isNavigation({ headers }: Request): boolean {
  return headers.has('sec-fetch-site')
    ? headers.get('sec-fetch-mode') === 'navigate'
    : Boolean(headers.get('accept')?.includes('text/html'))
}

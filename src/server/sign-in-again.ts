import type { Answer } from '#src/http/errors'
import { safePath } from '#src/http/safe-path'
import { accessPage } from '#src/operator/console-page'
import type { RequestContext } from '#src/request/context'
import { withStatusOf } from '#src/request/render'
import { signInPage } from '#src/sign-in/pages'

/**
 * The sign-in in the place of a page or a form that needs one, which leads back there: a session may end in the middle
 * of a form. Null for other refusals.
 */
export async function signInAgainPage(context: RequestContext, answer: Answer): Promise<Response | null> {
  const next = placeOf(context.request)
  if (answer.code === 'sign_in_required')
    return withStatusOf(answer, await signInPage(context, 'sign-in', { next, hint: sessionOver }))
  if (answer.code === 'operator_required')
    return withStatusOf(answer, await accessPage(context, 'admin', { error: answer.message, next }))
  return null
}

const sessionOver = 'You are signed out by now. Sign in to go on.'

/** The page that was asked for; of a form, the page that it stands on. */
function placeOf({ method, url, headers }: Request): string {
  const page = URL.parse(method === 'GET' ? url : (headers.get('referer') ?? ''))
  const isOurs = page?.host === URL.parse(url)?.host
  return isOurs && page ? safePath(page.pathname + page.search) : '/'
}

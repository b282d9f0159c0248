import type { Answer } from '#src/http/errors'
import { safePath } from '#src/http/safe-path'
import { accessPage } from '#src/operator/console-page'
import type { RequestContext } from '#src/request/context'
import { withStatusOf } from '#src/request/render'
import { readUnsent } from '#src/request/unsent-form'
import { signInPage } from '#src/sign-in/pages'

/**
 * The sign-in in the place of a page or a form that needs one, which leads back there: a session may end in the middle
 * of a form, and what was typed is carried on. Null for other refusals.
 */
export async function signInAgainPage(context: RequestContext, answer: Answer): Promise<Response | null> {
  if (answer.code !== 'sign_in_required' && answer.code !== 'operator_required') return null
  const next = placeOf(context.request)
  const unsent = await readUnsent(context)
  const page =
    answer.code === 'sign_in_required'
      ? await signInPage(context, 'sign-in', { next, unsent, hint: sessionOver })
      : await accessPage(context, 'admin', { error: answer.message, next, unsent })
  return withStatusOf(answer, page)
}

const sessionOver = 'You are signed out by now. Sign in to go on.'

/** The page that was asked for; of a form, the page that it stands on. */
function placeOf({ method, url, headers }: Request): string {
  const page = URL.parse(method === 'GET' ? url : (headers.get('referer') ?? ''))
  const isOurs = page?.host === URL.parse(url)?.host
  return isOurs && page ? safePath(page.pathname + page.search) : '/'
}

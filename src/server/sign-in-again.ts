import type { Answer } from '#src/http/errors'
import { safePath } from '#src/http/safe-path'
import { pinPage } from '#src/member/pin/pin-pages'
import { accessPage } from '#src/operator/console-page'
import type { RequestContext } from '#src/request/context'
import { withStatusOf } from '#src/request/render'
import { readUnsent } from '#src/request/unsent-form'
import { signInPage } from '#src/sign-in/pages'

/**
 * The sign-in, or the PIN, in the place of a page or a form that needs one, which leads back there: a session may end
 * or be locked in the middle of a form, and what was typed is carried on. Null for other refusals.
 */
export async function signInAgainPage(context: RequestContext, answer: Answer): Promise<Response | null> {
  const { code, message } = answer
  const pageOf = pages[code]
  if (!pageOf) return null
  const back = { next: placeOf(context.request), unsent: await readUnsent(context) }
  return withStatusOf(answer, await pageOf(context, back, message))
}

type Back = { next: string; unsent: string | undefined }
const pages: Partial<
  Record<string, (context: RequestContext, back: Back, message: string) => Promise<Response>>
> = {
  sign_in_required: (context, back) => signInPage(context, 'sign-in', { ...back, hint: sessionOver }),
  locked: pinPage,
  operator_required: (context, back, error) => accessPage(context, 'admin', { ...back, error }),
}

const sessionOver = 'You are signed out by now. Sign in to go on.'

/** The page that was asked for; of a form, the page that it stands on. */
function placeOf({ method, url, headers }: Request): string {
  const page = URL.parse(method === 'GET' ? url : (headers.get('referer') ?? ''))
  const isOurs = page?.host === URL.parse(url)?.host
  return isOurs && page ? safePath(page.pathname + page.search) : '/'
}

import type { ErrorAnswer } from '#src/http/errors'
import { safePath } from '#src/http/safe-path'
import { pinPage } from '#src/member/pin/pin-pages'
import { accessPage } from '#src/operator/console-page'
import { isSignInCode, type SignInCode } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { withStatusOf } from '#src/request/render'
import { readUnsent } from '#src/request/unsent-form'
import { signInPage } from '#src/sign-in/pages'

/**
 * Shows the sign-in or the PIN form instead of a page or form that needs it, and leads back there afterwards. A session
 * may end or be locked while a form is filled in, so the typed text is carried along. Null for other errors.
 */
export async function signInAgainPage(
  context: RequestContext,
  answer: ErrorAnswer,
): Promise<Response | null> {
  const { code, message } = answer
  if (!isSignInCode(code)) return null
  const back = { next: placeOf(context.request), unsent: await readUnsent(context) }
  return withStatusOf(answer, await pages[code](context, back, message))
}

type Back = { next: string; unsent: string | undefined }
type Form = (context: RequestContext, back: Back, message: string) => Promise<Response>
const pages: Record<SignInCode, Form> = {
  sign_in_required: (context, back) => signInPage(context, 'sign-in', { ...back, hint: sessionOver }),
  locked: pinPage,
  operator_required: (context, back, error) => accessPage(context, 'admin', { ...back, error }),
}

const sessionOver = 'You have been signed out. Sign in to continue.'

/** The page that was requested or, for a form, the page that contains it. */
function placeOf({ method, url, headers }: Request): string {
  const page = URL.parse(method === 'GET' ? url : (headers.get('referer') ?? ''))
  const isOurs = page?.host === URL.parse(url)?.host
  return isOurs && page ? safePath(page.pathname + page.search) : '/'
}

import { missingReferenceOf } from '#db/failures'
import type { AppError } from '#src/app-error'
import { answerOf, errorResponse } from '#src/http/errors'
import { nobody } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { cookieNames, readCookie } from '#src/request/cookies'
import { errorPage } from '#src/request/render'
import { sessionHasEnded } from '#src/session/session'
import { missingItem } from '#src/story/require-item'
import { findCaller } from './find-caller'
import { signInAgainPage } from './sign-in-again'

/** Answers an error from any step of the pipeline, as a page or as JSON. */
export async function answerError(context: RequestContext, error: unknown): Promise<Response> {
  const { request } = context
  const refusal = deletedMeanwhile(error) ?? error
  context.error = refusal
  const answer = answerOf(refusal, context.services.log, context.id)
  const wantsPage =
    !context.route?.isForAnyOrigin &&
    !URL.parse(request.url)?.pathname.startsWith('/api/') &&
    request.headers.get('accept')?.includes('text/html')
  if (!wantsPage) return errorResponse(answer, context.id)
  if (answer.status !== 503) await findCallerOfErrorPage(context)
  return (await signInAgainPage(context, answer)) ?? errorPage(context, answer)
}

/**
 * The refusal of a write that refers to a member or an item deleted since the request found it; null for other errors.
 */
function deletedMeanwhile(error: unknown): AppError | null {
  const missing = missingReferenceOf(error)
  if (missing === null) return null
  return missing === 'users' ? sessionHasEnded() : missingItem()
}

/**
 * Finds the caller of an error page. Many errors are thrown before the caller is known, but the page has to look like
 * the other pages of that person.
 */
async function findCallerOfErrorPage(context: RequestContext): Promise<void> {
  if (context.caller !== nobody || readCookie(context, cookieNames.member) === null) return
  // The bearer token is not tried a second time.
  const caller = await findCaller(context, null).catch(() => null)
  if (caller) context.caller = caller
}

import { countedAddress } from '#src/http/address'
import { isUnlocked } from '#src/member/pin/unlock-cookie'
import { operatorSessionSeconds, pageOwnerHeader } from '#src/member/rules'
import { ownerOf } from '#src/member/sign-in/owner'
import { isOperatorToken, tokenFingerprint } from '#src/operator/token'
import type { Caller, Operator } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { cookieNames, readCookie } from '#src/request/cookies'
import { readVisitorId } from '#src/request/visitor-id'
import { keyedHash } from '#src/security/keyed-hash'
import { findSession, type Session } from '#src/session/session'

/**
 * Finds the caller. Reads the database only if the request has a session cookie or a bearer token. Throws `throttled`
 * for a wrong token from an address that has tried many.
 */
export async function findCaller(
  context: RequestContext,
  bearer = bearerOf(context.request),
): Promise<Caller> {
  const { db, secrets } = context.services
  const memberToken = readCookie(context, cookieNames.member)
  const operatorToken = readCookie(context, cookieNames.operator)
  const addressHash = keyedHash(secrets.session, 'address', countedAddress(context.sender.address))
  const [found, operator] = await Promise.all([
    memberToken ? findSession(db, 'member', memberToken) : null,
    operatorToken ? findSession(db, 'operator', operatorToken, tokenFingerprint(context.services)) : null,
  ])
  const member = found && isOfItsPage(context, found) ? found : null
  const isLocked = member !== null && !isUnlocked(context, member)
  return {
    member: isLocked ? null : (member?.member ?? null),
    locked: isLocked ? member.member : null,
    hasPin: member?.hasPin ?? false,
    sid: found?.sid ?? null,
    isExtended: found?.isExtended ?? false,
    operator:
      bearer === null ? operator && operatorOf(operator) : await checkBearer(context, bearer, addressHash),
    ...readVisitorId(context),
    addressHash,
    neverShown: member?.neverShown ?? null,
    isDiscreet: found?.isDiscreet ?? false,
  }
}

/**
 * Whether a call comes from a page of this member. Pages send the owner for whom they were rendered, so that an action
 * in a page that was left open does not apply to another member who has signed in since, in another tab. The cookies
 * stay those of the session.
 */
function isOfItsPage({ request, services }: RequestContext, { member }: Session): boolean {
  const owner = request.headers.get(pageOwnerHeader)
  return owner === null || owner === ownerOf(services.secrets, member)
}

/**
 * Reads the bearer token of a request: null if there is none, empty if it cannot be valid. If a request has a token,
 * only the token counts: a malformed one does not fall back to a cookie.
 */
function bearerOf({ headers }: Request): string | null {
  const authorization = headers.get('authorization') ?? ''
  if (!/^bearer(?![a-z])/i.test(authorization)) return null
  return authorization.match(/^Bearer (.{1,512})$/)?.[1] ?? ''
}

async function checkBearer(
  { services }: RequestContext,
  bearer: string,
  addressHash: string,
): Promise<Operator | null> {
  // A token that can never be valid is not a guess, and is not counted.
  return bearer !== '' && (await isOperatorToken(services, bearer, addressHash))
    ? { name: 'token', via: 'bearer', sid: null, endsAt: null }
    : null
}

function operatorOf({ sid, data }: Session): Operator {
  const endsAt = new Date(Date.parse(data.startedAt) + operatorSessionSeconds * 1_000)
  return { name: data.operatorName ?? 'operator', via: 'session', sid, endsAt }
}

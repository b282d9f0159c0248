import { forgetTrackingId, readTrackingId } from '#src/analytics/sender'
import { linkVisitor } from '#src/analytics/session'
import { mergeVisitor } from '#src/listening/merge-visitor'
import { pageOwnerHeader } from '#src/member/rules'
import type { CurrentUser } from '#src/member/schema'
import { ownerOf } from '#src/member/sign-in/owner'
import { readDeviceToken, rememberBrowser } from '#src/member/sign-in/remembered-device'
import { type Device, startMemberSession, type Verified } from '#src/member/sign-in/sign-in'
import type { RetainedBrowser } from '#src/personal-data/registry'
import { moveDevice } from '#src/push/move-device'
import type { RequestContext } from '#src/request/context'
import { sha256 } from '#src/security/keyed-hash'
import { clearPermissions } from '#src/session/audio-permissions'
import type { Member } from '#src/session/schema'
import { endSession, giveSession, readSessionToken } from '#src/session/session-cookies'

/** Opens a session for a member in this browser, and makes the visitor's positions and views theirs. */
export async function openMemberSession(
  context: RequestContext,
  verified: Verified,
  device: Device,
  method: string,
): Promise<CurrentUser> {
  const { db } = context.services
  const { member } = verified
  await giveMemberSession(context, member.id, await startMemberSession(db, verified, device, method))
  if (context.caller.visitorId) await mergeVisitor(db, context.caller.visitorId, member.id)
  const trackingId = readTrackingId(context)
  if (trackingId) await linkVisitor(db, trackingId, member.id)
  return toCurrentUser(member)
}

/**
 * Sets a member's session cookie, remembers the browser as one of the member's devices, and moves its push subscription
 * to the session.
 */
export async function giveMemberSession(context: RequestContext, id: string, token: string): Promise<void> {
  const brought = readSessionToken(context, 'member')
  if (brought) await moveDevice(context.services.db, brought, token)
  await giveSession(context, 'member', token)
  await rememberBrowser(context, { id, sid: sha256(token) })
}

/**
 * Ends this browser's member session, its cached permissions, and its tracking id, since the next person here may be
 * somebody else. If another member has signed in since the page was rendered, their session stays: the page's header or
 * form names its `owner`.
 */
export async function endMemberSession(
  context: RequestContext,
  owner = context.request.headers.get(pageOwnerHeader) ?? undefined,
): Promise<void> {
  const { sid, member, locked } = context.caller
  const isAnothers = sid !== null && ownerOf(context.services.secrets, member ?? locked) !== owner
  if (owner !== undefined && isAnothers) return
  await endSession(context, 'member')
  clearPermissions()
  forgetTrackingId(context)
}

/** The device of a sign-in. */
export function deviceOf(context: RequestContext): Device {
  return {
    userAgent: context.request.headers.get('user-agent') ?? '',
    addressHash: context.caller.addressHash,
    token: readDeviceToken(context),
  }
}

/** The requesting browser, which stays signed in when the others are signed out. */
export function browserOf(context: RequestContext): RetainedBrowser {
  return { sid: context.caller.sid, deviceToken: readDeviceToken(context) }
}

export function toCurrentUser({ createdAt, ...member }: Member): CurrentUser {
  return { ...member, createdAt: createdAt.toISOString() }
}

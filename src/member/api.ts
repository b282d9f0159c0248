import * as t from 'typebox'
import { forgetTrackingId, readTrackingId } from '#src/analytics/sender'
import { linkVisitor } from '#src/analytics/session'
import type { RequestContext } from '#src/http/context'
import { about, jsonAnswer, router } from '#src/http/router'
import { endSession, giveSession } from '#src/http/sign-in-cookies'
import { carryOver } from '#src/listening/carry-over'
import type { Parts } from '#src/parts'
import { join } from './join'
import { AuthAnswer, CurrentUser, Registration, SignIn } from './schema'
import type { Member } from './session'
import { checkSignIn, type Device, startMemberSession } from './sign-in'

export function memberApi(parts: Parts) {
  const { db } = parts
  return router()
    .get('/api/auth/user', ({ caller }) => jsonAnswer(caller.member && toCurrentUser(caller.member)), {
      response: t.Union([CurrentUser, t.Null()]),
      ...about('auth', 'Who is signed in', 'The member, or null for a visitor.'),
    })
    .post(
      '/api/auth/login',
      async ({ body, context, request }) => {
        const device = deviceOf(request, context)
        const member = await checkSignIn(db, body, device)
        return {
          success: true,
          message: welcomeWords.password,
          user: await welcome(parts, context, member, device, 'password'),
        }
      },
      {
        body: SignIn,
        response: AuthAnswer,
        ...about('auth', 'Sign in with e-mail and password', undefined, {
          401: 'E-mail or password is not right',
        }),
      },
    )
    .post(
      '/api/auth/register',
      async ({ body, context, request, status }) => {
        const device = deviceOf(request, context)
        const member = await join(parts, body, device)
        return status(201, {
          success: true,
          message: welcomeWords.register,
          user: await welcome(parts, context, member, device, 'register'),
        })
      },
      {
        body: Registration,
        response: { 201: AuthAnswer },
        ...about('auth', 'Make an account', undefined, { 409: 'There is an account with this e-mail' }),
      },
    )
    .post(
      '/api/auth/logout',
      async ({ context }) => {
        await endSession(parts, context, 'member')
        forgetTrackingId(parts, context)
        return { success: true, message: 'Signed out.' }
      },
      { response: t.Object({ success: t.Boolean(), message: t.String() }), ...about('auth', 'Sign out') },
    )
}

const welcomeWords = {
  password: 'Successfully logged in! Enjoy unlimited stories.',
  register: 'Your account is ready. Welcome, and enjoy unlimited stories.',
}

/** Opens a session for a member on this browser; what the visitor heard and read becomes the member's. */
export async function welcome(
  parts: Parts,
  context: RequestContext,
  member: Member,
  device: Device,
  method: string,
): Promise<CurrentUser> {
  await giveSession(parts, context, 'member', await startMemberSession(parts.db, member, device, method))
  if (context.caller.visitorId) await carryOver(parts.db, context.caller.visitorId, member.id)
  const trackingId = readTrackingId(parts, context)
  if (trackingId) await linkVisitor(parts.db, trackingId, member.id)
  return toCurrentUser(member)
}

export function deviceOf(request: Request, context: RequestContext): Device {
  return { userAgent: request.headers.get('user-agent') ?? '', addressHash: context.caller.addressHash }
}

export function toCurrentUser({ createdAt, ...member }: Member): CurrentUser {
  return { ...member, createdAt: createdAt.toISOString() }
}

import * as t from 'typebox'
import { AuthAnswer, CurrentUser, Registration, SignIn } from '#src/member/schema'
import { join } from '#src/member/sign-in/join'
import { checkSignIn } from '#src/member/sign-in/sign-in'
import { about, jsonAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { deviceOf, endMemberSession, openMemberSession, toCurrentUser } from './member-session'

export function memberApi(services: Services) {
  const { db } = services
  return router()
    .get('/api/auth/user', ({ caller }) => jsonAnswer(caller.member && toCurrentUser(caller.member)), {
      response: t.Union([CurrentUser, t.Null()]),
      ...about('auth', 'Who is signed in', 'The member, or null for a visitor.'),
    })
    .post(
      '/api/auth/login',
      async ({ body, context }) => {
        const device = deviceOf(context)
        const verified = await checkSignIn(db, body, device)
        return {
          success: true,
          message: signedInWords.password,
          user: await openMemberSession(context, verified, device, 'password'),
        }
      },
      {
        body: SignIn,
        response: AuthAnswer,
        ...about('auth', 'Sign in with email and password', undefined, {
          401: 'Email or password is not right',
        }),
      },
    )
    .post(
      '/api/auth/register',
      async ({ body, context, status }) => {
        const device = deviceOf(context)
        const joined = await join(services, body, device)
        return status(201, {
          success: true,
          message: signedInWords.register,
          user: await openMemberSession(context, joined, device, 'register'),
        })
      },
      {
        body: Registration,
        response: { 201: AuthAnswer },
        ...about('auth', 'Make an account', undefined, { 409: 'There is an account with this email' }),
      },
    )
    .post(
      '/api/auth/logout',
      async ({ context }) => {
        await endMemberSession(context)
        return { success: true, message: 'Signed out.' }
      },
      { response: t.Object({ success: t.Boolean(), message: t.String() }), ...about('auth', 'Sign out') },
    )
}

/** The message of a successful sign-in, by method. */
const signedInWords = {
  password: 'Successfully logged in! Enjoy unlimited stories.',
  register: 'Your account is ready. Welcome, and enjoy unlimited stories.',
}

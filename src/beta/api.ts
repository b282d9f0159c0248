import * as t from 'typebox'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { BetaSignUp } from './schema'
import { betaThanks, listBetaSignups, signUpForBeta } from './sign-up'

const Signup = t.Object({ id: t.String(), email: t.String(), source: t.String(), createdAt: t.String() })

/** API calls to sign up for the beta, and for operators to list the sign-ups. */
export function betaApi({ db }: Services) {
  return router()
    .post(
      '/api/beta-signup',
      async ({ body, caller }) => {
        await signUpForBeta(db, body, caller.addressHash)
        return { success: true, message: betaThanks }
      },
      {
        body: BetaSignUp,
        response: t.Object({ success: t.Boolean(), message: t.String() }),
        ...about(
          'beta',
          'Sign up for early access',
          'The answer is the same if the email is already on the list.',
        ),
      },
    )
    .get(
      '/api/admin/beta-signups',
      async () => {
        const signups = (await listBetaSignups(db)).map((row) => ({
          ...row,
          createdAt: row.createdAt.toISOString(),
        }))
        return { signups, count: signups.length }
      },
      {
        response: t.Object({ signups: t.Array(Signup), count: t.Integer() }),
        ...about('beta', 'List the beta signups'),
      },
    )
}

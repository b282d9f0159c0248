import * as t from 'typebox'
import { emailCharactersMax } from '#src/member/rules'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { betaThanks, listBetaSignups, signUpForBeta } from './sign-up'

const email = t.String({
  minLength: 1,
  maxLength: emailCharactersMax,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  isEmail: true,
  examples: ['mara@example.com'],
})
const BetaSignup = t.Object({ id: t.String(), email: t.String(), source: t.String(), createdAt: t.String() })

/** The beta box's call and the operators' list of it. */
export function betaApi({ db }: Services) {
  return router()
    .post(
      '/api/beta-signup',
      async ({ body, caller }) => {
        await signUpForBeta(db, body, caller.addressHash)
        return { success: true, message: betaThanks }
      },
      {
        body: t.Object({ email, source: t.Optional(t.String({ maxLength: 64, examples: ['upgrade_box'] })) }),
        response: t.Object({ success: t.Boolean(), message: t.String() }),
        ...about(
          'beta',
          'Sign up for early access',
          'The answer is the same where the email is there already.',
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
        response: t.Object({ signups: t.Array(BetaSignup), count: t.Integer() }),
        ...about('beta', 'List the beta signups'),
      },
    )
}

import * as t from 'typebox'
import { redirect } from '#src/http/redirect'
import { safePath } from '#src/http/safe-path'
import { Proof } from '#src/member/settings/account-schema'
import { listSignInMethods } from '#src/member/settings/sign-in-methods'
import { SignInMethods } from '#src/member/settings/sign-in-methods-schema'
import { memberOf, signedInOf } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { about, router } from '#src/request/router'
import { unsentPage } from '#src/request/unsent-form'
import type { Services } from '#src/services'
import {
  type AuthChallenge,
  authChallengeIsOver,
  findAuthChallenge,
  takeAuthChallenge,
} from '#src/session/auth-challenge'
import { isFreshSession } from '#src/session/fresh-session'
import { oneOf } from '#src/shape/one-of'
import { rememberArrival } from '#src/sign-in/arrival'
import { deviceOf, openMemberSession } from '#src/sign-in/member-session'
import { urls, withQuery } from '#src/urls'
import { beginWithProvider, unsentOf } from './begin'
import { enterWith, linkIdentity, unlinkIdentity } from './enter'
import { refusedPage } from './refused-pages'
import { type Provider, providerLabels, providers } from './rules'

const short = t.Optional(t.String({ maxLength: 4_000 }))

/** Sign-in with an account of another provider: redirects and callbacks, and the linked accounts of a member. */
export function socialApi(services: Services) {
  const { db } = services
  const api = router()
    .get('/api/user/ways-in', async ({ caller }) => listSignInMethods(db, memberOf(caller).id), {
      response: SignInMethods,
      ...about('account', 'What opens my account: password, linked accounts, passkeys'),
    })
    .delete(
      '/api/user/identities/:provider',
      async ({ caller, params, body }) => {
        await unlinkIdentity(services, signedInOf(caller), { ...params, ...body })
        return { success: true, message: `${providerLabels[params.provider]} is unlinked.` }
      },
      {
        params: t.Object({ provider: oneOf(providers) }),
        body: t.Optional(Proof),
        response: t.Object({ success: t.Boolean(), message: t.String() }),
        ...about(
          'account',
          'Unlink an account elsewhere',
          'One way to sign in has to stay. Proved by a sign-in of the last ten minutes, or the password.',
          {
            409: 'It is the only way to sign in',
          },
        ),
      },
    )
    .post(
      '/api/auth/apple/callback',
      async ({ body, context }) => {
        // The session cookie is not sent with another site's post, so this redirects to a GET of our own.
        const attempt = await findAuthChallenge(context, 'apple')
        if (attempt && attempt.secret.state === body.state)
          return redirect(withQuery(urls.apiSocialCallback('apple'), body))
        return refused(context, attempt, authChallengeIsOver())
      },
      {
        body: t.Object({ state: short, code: short, error: short, user: short, iss: short }),
        ...redirects('What Apple has the browser post', 'Leads on to the page one came from.'),
      },
    )
  for (const provider of providers) {
    const label = providerLabels[provider]
    api
      .get(`/api/auth/${provider}`, async ({ query, context }) => begin(provider, context, query), {
        query: t.Object({
          next: t.Optional(t.String({ maxLength: 2_000, description: 'The page to come back to.' })),
          link: t.Optional(t.Literal('true', { description: 'Links it to the account that is signed in.' })),
        }),
        ...redirects(`Sign in with ${label}`, 'Redirects to the provider where it is set up.'),
      })
      .get(
        `/api/auth/${provider}/callback`,
        async ({ context }) => finish(provider, context),
        redirects(`Where ${label} sends the browser back to`, 'Leads on to the page one came from.'),
      )
  }
  return api
}

function redirects(summary: string, description: string) {
  const { detail } = about('auth', summary, description)
  return { detail: { ...detail, responses: { 303: { description: 'On to the next address' } } } }
}

async function begin(
  provider: Provider,
  context: RequestContext,
  { next, link }: { next?: string; link?: 'true' },
): Promise<Response> {
  const { env, db } = context.services
  if (!env.social[provider]) {
    const { clientOf } = await import('./client')
    await clientOf(env, provider)
  }
  const { member, sid } = context.caller
  if (link && !(member && (await isFreshSession(db, sid))))
    return redirect(urls.signIn({ next: urls.settings(), why: 'again' }))
  const beginning = { userId: link && member ? member.id : null, next: safePath(next) }
  try {
    const url = await beginWithProvider(context, provider, beginning)
    return redirect(url.href)
  } catch (error) {
    return refusedPage(context, beginning, error)
  }
}

async function finish(provider: Provider, context: RequestContext): Promise<Response> {
  const answer = new URL(context.request.url).searchParams
  let attempt: AuthChallenge | null = null
  try {
    const begun = await findAuthChallenge(context, provider)
    // A callback with the state of another browser does not consume this browser's challenge.
    if (!begun || begun.secret.state !== answer.get('state')) throw authChallengeIsOver()
    attempt = await takeAuthChallenge(context, provider)
    return await enter(provider, context, answer, attempt)
  } catch (error) {
    return refused(context, attempt, error)
  }
}

async function enter(
  provider: Provider,
  context: RequestContext,
  answer: URLSearchParams,
  attempt: AuthChallenge,
): Promise<Response> {
  const { services } = context
  const { userId, secret } = attempt
  const { state = '', nonce = '', verifier = '', next } = secret
  const { readPerson } = await import('./person')
  const person = await readPerson(services.env, provider, answer, { state, nonce, verifier })
  if (userId) {
    if (context.caller.member?.id !== userId) throw authChallengeIsOver()
    await linkIdentity(services, { id: userId, sid: context.caller.sid }, person)
    return redirect(urls.settings({ said: 'linked' }))
  }
  const device = deviceOf(context)
  const { isNew, ...verified } = await enterWith(services, person, device.addressHash)
  await openMemberSession(context, verified, device, provider)
  rememberArrival(context, { mode: isNew ? 'register' : 'sign-in', method: provider })
  const path = safePath(next)
  return (await unsentPage(context, unsentOf(context, attempt), path)) ?? redirect(path)
}

/** Renders the page of a sign-in that was refused. */
function refused(context: RequestContext, attempt: AuthChallenge | null, error: unknown): Promise<Response> {
  const { userId = null, secret } = attempt ?? {}
  const unsent = attempt ? unsentOf(context, attempt) : undefined
  return refusedPage(context, { userId, next: secret?.next ?? '', unsent }, error)
}

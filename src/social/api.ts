import * as t from 'typebox'
import { rememberArrival } from '#src/http/arrival'
import { memberOf } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { answerOf } from '#src/http/errors'
import { redirect } from '#src/http/redirect'
import { about, router } from '#src/http/router'
import { safePath } from '#src/http/safe-path'
import { deviceOf, welcome } from '#src/member/api'
import { type Attempt, attemptIsOver, beginAttempt, findAttempt, takeAttempt } from '#src/member/attempt'
import { isFreshSession } from '#src/member/fresh-session'
import { signInPage } from '#src/member/pages'
import { settingsPage } from '#src/member/settings-pages'
import { listWaysIn, WaysIn } from '#src/member/ways-in'
import type { Parts } from '#src/parts'
import { oneOf } from '#src/story/schema'
import { urls, withQuery } from '#src/urls'
import { clientOf } from './client'
import { enterWith, linkIdentity, unlinkIdentity } from './enter'
import { askProvider, readPerson } from './person'
import { type Provider, providerLabels, providers } from './rules'

const short = t.Optional(t.String({ maxLength: 4_000 }))

/** Signing in with an account elsewhere: there and back by the browser, and what is linked to a member. */
export function socialApi(parts: Parts) {
  const { db } = parts
  const api = router()
    .get('/api/user/ways-in', async ({ caller }) => listWaysIn(db, memberOf(caller).id), {
      response: WaysIn,
      ...about('account', 'What opens my account: password, linked accounts, passkeys'),
    })
    .delete(
      '/api/user/identities/:provider',
      async ({ caller, params }) => {
        await unlinkIdentity(parts, memberOf(caller).id, params.provider)
        return { success: true, message: `${providerLabels[params.provider]} is unlinked.` }
      },
      {
        params: t.Object({ provider: oneOf(providers) }),
        response: t.Object({ success: t.Boolean(), message: t.String() }),
        ...about('account', 'Unlink an account elsewhere', 'One way in has to stay.', {
          409: 'It is the only way in',
        }),
      },
    )
    .post(
      '/api/auth/apple/callback',
      async ({ body, request, context }) => {
        // The session's own cookie does not come with another site's post, so this goes on as a GET of ours.
        const attempt = await findAttempt(parts, context, 'apple')
        if (attempt && attempt.secret.state === body.state)
          return redirect(withQuery(urls.apiSocialCallback('apple'), body))
        return refused(parts, request, context, attempt, attemptIsOver())
      },
      {
        body: t.Object({ state: short, code: short, error: short, user: short, iss: short }),
        ...redirects('What Apple has the browser post', 'Leads on to the page one came from.'),
      },
    )
  for (const provider of providers) {
    const label = providerLabels[provider]
    api
      .get(
        `/api/auth/${provider}`,
        async ({ query, request, context }) => begin(parts, provider, request, context, query),
        {
          query: t.Object({
            next: t.Optional(t.String({ maxLength: 2_000, description: 'The page to come back to.' })),
            link: t.Optional(
              t.Literal('true', { description: 'Adds it to the ways in of who is signed in.' }),
            ),
          }),
          ...redirects(`Sign in with ${label}`, 'Redirects to the provider where it is set up.'),
        },
      )
      .get(
        `/api/auth/${provider}/callback`,
        async ({ request, context }) => finish(parts, provider, request, context),
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
  parts: Parts,
  provider: Provider,
  request: Request,
  context: RequestContext,
  { next, link }: { next?: string; link?: 'true' },
): Promise<Response> {
  const { env, db } = parts
  if (!env.social[provider]) await clientOf(env, provider)
  const { member, sid } = context.caller
  const path = safePath(next)
  if (link && !(member && (await isFreshSession(db, sid))))
    return redirect(urls.signIn({ next: urls.settings(), why: 'again' }))
  const userId = link && member ? member.id : null
  try {
    const { url, question } = await askProvider(env, provider)
    const attempt = { userId, secret: { ...question, next: path } }
    await beginAttempt(parts, context, provider, attempt, provider === 'apple' ? 'None' : 'Lax')
    return redirect(url.href)
  } catch (error) {
    return refused(parts, request, context, { userId, secret: { next: path } }, error)
  }
}

async function finish(
  parts: Parts,
  provider: Provider,
  request: Request,
  context: RequestContext,
): Promise<Response> {
  const answer = new URL(request.url).searchParams
  let attempt: Attempt | null = null
  try {
    const begun = await findAttempt(parts, context, provider)
    // Who is sent here with a state of somebody else's does not use up what this browser began.
    if (!begun || begun.secret.state !== answer.get('state')) throw attemptIsOver()
    attempt = await takeAttempt(parts, context, provider)
    return await enter(parts, provider, request, context, answer, attempt)
  } catch (error) {
    return refused(parts, request, context, attempt, error)
  }
}

async function enter(
  parts: Parts,
  provider: Provider,
  request: Request,
  context: RequestContext,
  answer: URLSearchParams,
  { userId, secret }: Attempt,
): Promise<Response> {
  const { state = '', nonce = '', verifier = '', next } = secret
  const person = await readPerson(parts.env, provider, answer, { state, nonce, verifier })
  if (userId) {
    if (context.caller.member?.id !== userId) throw attemptIsOver()
    await linkIdentity(parts, userId, person)
    return redirect(urls.settings({ said: 'linked' }))
  }
  const device = deviceOf(request, context)
  const { member, isNew } = await enterWith(parts, person, device.addressHash)
  await welcome(parts, context, member, device, provider)
  rememberArrival(parts, context, { mode: isNew ? 'register' : 'sign-in', method: provider })
  return redirect(safePath(next))
}

/** The page one can go on from, with why; a program gets the error as every call answers it. */
async function refused(
  parts: Parts,
  request: Request,
  context: RequestContext,
  attempt: Attempt | null,
  error: unknown,
): Promise<Response> {
  const { status, message } = answerOf(error, parts.log, context.id)
  if (status === 500 || !isNavigation(request)) throw error
  if (attempt?.userId && context.caller.member)
    return settingsPage(parts, request, context, {
      problem: { panel: 'ways-in', field: null, message },
      status,
    })
  return signInPage(parts, request, context, 'sign-in', {
    next: safePath(attempt?.secret.next),
    error: message,
    status,
  })
}

/** Browsers that say how they fetch are believed; older ones ask for HTML when a person waits for a page. */
function isNavigation({ headers }: Request): boolean {
  return headers.has('sec-fetch-site')
    ? headers.get('sec-fetch-mode') === 'navigate'
    : Boolean(headers.get('accept')?.includes('text/html'))
}

import * as t from 'typebox'
import { redirect } from '#src/http/redirect'
import { safePath } from '#src/http/safe-path'
import { tokenCharactersMax } from '#src/member/rules'
import { Registration, SignIn } from '#src/member/schema'
import { join } from '#src/member/sign-in/join'
import { checkSignIn } from '#src/member/sign-in/sign-in'
import type { RequestContext } from '#src/request/context'
import { renderPage, rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import { Unsent, unsentPage } from '#src/request/unsent-form'
import type { Services } from '#src/services'
import { Landing, type LandingForm } from '#src/site/landing'
import type { AuthMode, TypedNames } from '#src/ui/auth-form'
import { rememberArrival } from './arrival'
import { deviceOf, endMemberSession, openMemberSession } from './member-session'

const next = t.Optional(t.String({ maxLength: 2_000 }))

/** Plain forms to sign in, join and sign out; with a script, the dialog shows the same form. */
export function memberPages(services: Services) {
  const { db } = services
  return router()
    .get(
      '/sign-in',
      ({ query, context }) =>
        signInPage(context, query.mode === 'register' ? 'register' : 'sign-in', {
          next: safePath(query.next),
          hint: query.why === 'again' ? 'Sign in again to change your ways to sign in.' : undefined,
        }),
      {
        query: t.Object({
          next,
          mode: t.Optional(t.String({ maxLength: 20 })),
          why: t.Optional(t.Literal('again')),
        }),
        detail: { hide: true },
      },
    )
    .post(
      '/sign-in',
      async ({ body, context }) => {
        const device = deviceOf(context)
        return signedIn(context, 'sign-in', body, async () =>
          openMemberSession(context, await checkSignIn(db, body, device), device, 'password'),
        )
      },
      { body: t.Composite([SignIn, t.Object({ next, unsent: Unsent })]), detail: { hide: true } },
    )
    .post(
      '/register',
      async ({ body, context }) => {
        const device = deviceOf(context)
        return signedIn(context, 'register', body, async () =>
          openMemberSession(context, await join(services, body, device), device, 'register'),
        )
      },
      { body: t.Composite([Registration, t.Object({ next, unsent: Unsent })]), detail: { hide: true } },
    )
    .post(
      '/sign-out',
      async ({ context, body }) => {
        await endMemberSession(context, body?.owner)
        return redirect(safePath(body?.next))
      },
      {
        body: t.Optional(t.Object({ next, owner: t.Optional(t.String({ maxLength: tokenCharactersMax })) })),
        detail: { hide: true },
      },
    )
}

/** Redirects to the previous page; a refusal shows the form again with the input and the reason. */
function signedIn(
  context: RequestContext,
  mode: AuthMode,
  body: TypedNames & { next?: string; unsent?: string },
  signIn: () => Promise<unknown>,
): Promise<Response> {
  const next = safePath(body.next)
  const work = async () => {
    await signIn()
    rememberArrival(context, { mode, method: 'email' })
    return (await unsentPage(context, body.unsent, next)) ?? next
  }
  return rerenderWithError(context, work, (problem) =>
    signInPage(context, mode, { next, unsent: body.unsent, typed: body, problem }),
  )
}

/** Renders the page with the form of a mode; `problem` is the reason why it is shown again. */
export async function signInPage(
  context: RequestContext,
  mode: AuthMode,
  form: Omit<LandingForm, 'mode'>,
): Promise<Response> {
  const { siteName, providers } = await context.viewer()
  return renderPage(context, {
    frame: 'bare',
    meta: { title: mode === 'register' ? 'Join' : 'Sign in', isIndexed: false },
    body: <Landing siteName={siteName} form={{ mode, ...form }} providers={providers} newest={[]} />,
  })
}

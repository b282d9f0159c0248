import * as t from 'typebox'
import { forgetTrackingId } from '#src/analytics/sender'
import type { RequestContext } from '#src/http/context'
import { answerOf } from '#src/http/errors'
import { redirect } from '#src/http/redirect'
import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import { safePath } from '#src/http/safe-path'
import { endSession } from '#src/http/sign-in-cookies'
import type { Parts } from '#src/parts'
import { Landing } from '#src/site/landing'
import type { AuthMode } from '#src/ui/auth-form'
import { deviceOf, welcome } from './api'
import { join } from './join'
import { Registration, SignIn } from './schema'
import { checkSignIn } from './sign-in'

const next = t.Optional(t.String({ maxLength: 2_000 }))

/** Signing in, joining and signing out as plain forms: the dialog is the same form with a script. */
export function memberPages(parts: Parts) {
  const { db } = parts
  return router()
    .get(
      '/sign-in',
      ({ query, request, context }) =>
        signInPage(parts, request, context, query.mode === 'register' ? 'register' : 'sign-in', {
          next: safePath(query.next),
          hint: query.why === 'again' ? 'Sign in once more to add another way in.' : undefined,
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
      async ({ body, request, context }) => {
        const device = deviceOf(request, context)
        return signedIn(parts, request, context, 'sign-in', body, async () =>
          welcome(parts, context, await checkSignIn(db, body, device), device, 'password'),
        )
      },
      { body: t.Composite([SignIn, t.Object({ next })]), detail: { hide: true } },
    )
    .post(
      '/register',
      async ({ body, request, context }) => {
        const device = deviceOf(request, context)
        return signedIn(parts, request, context, 'register', body, async () =>
          welcome(parts, context, await join(parts, body, device), device, 'register'),
        )
      },
      { body: t.Composite([Registration, t.Object({ next })]), detail: { hide: true } },
    )
    .post(
      '/sign-out',
      async ({ context, body }) => {
        await endSession(parts, context, 'member')
        forgetTrackingId(parts, context)
        return redirect(safePath(body?.next))
      },
      { body: t.Optional(t.Object({ next })), detail: { hide: true } },
    )
}

/** Back to where the person was; a refusal shows the form again with what was typed and why. */
async function signedIn(
  parts: Parts,
  request: Request,
  context: RequestContext,
  mode: AuthMode,
  body: { email: string; next?: string },
  work: () => Promise<unknown>,
): Promise<Response> {
  try {
    await work()
    return redirect(safePath(body.next))
  } catch (error) {
    const answer = answerOf(error, parts.log, context.id)
    if (answer.status >= 500) throw error
    return signInPage(parts, request, context, mode, {
      next: safePath(body.next),
      email: body.email,
      error: answer.message,
      status: answer.status,
    })
  }
}

/** The page with the form of a mode; `error` is why it is shown again. */
export async function signInPage(
  parts: Parts,
  request: Request,
  context: RequestContext,
  mode: AuthMode,
  form: { next: string; email?: string; error?: string; hint?: string; status?: number },
): Promise<Response> {
  const viewer = await viewerOf(parts, context)
  const { status, ...fields } = form
  return renderPage(parts, request, viewer, {
    status,
    frame: 'bare',
    meta: { title: mode === 'register' ? 'Join' : 'Sign in', isIndexed: false },
    body: (
      <Landing
        siteName={viewer.siteName}
        form={{ mode, ...fields }}
        providers={viewer.providers}
        shelf={[]}
      />
    ),
  })
}

import * as t from 'typebox'
import { redirect } from '#src/http/redirect'
import { safePath } from '#src/http/safe-path'
import type { RequestContext } from '#src/request/context'
import { renderPage } from '#src/request/render'
import { router } from '#src/request/router'
import { Unsent, unsentPage } from '#src/request/unsent-form'
import { oneOf } from '#src/shape/one-of'
import { signInPage } from '#src/sign-in/pages'
import { AuthPage } from '#src/ui/auth-page'
import { ButtonLink } from '#src/ui/button'
import { beginWithProvider } from './begin'
import { refusedPage } from './refused-pages'
import { type Provider, providerLabels, providers } from './rules'

const UnsentForm = t.Object({
  next: t.Optional(t.String({ maxLength: 2_000 })),
  unsent: Unsent,
  email: t.Optional(t.String({ maxLength: 2_000 })),
  /** Empty after a passkey, which has already signed the member in. */
  way: t.Optional(oneOf([...providers, 'sign-in', 'register'])),
})

/** Route by which a sign-in form that carries an unsent form leads on to another sign-in method. */
export function unsentFormPages() {
  return router().post(
    '/sign-in/carried',
    async ({ context, body: { way, email, unsent, ...body } }) => {
      const next = safePath(body.next)
      if (way === 'sign-in' || way === 'register')
        return signInPage(context, way, { next, unsent, typed: { email } })
      if (way) return providerPage(context, way, { next, unsent })
      if (!context.caller.member) return signInPage(context, 'sign-in', { next, unsent })
      return (await unsentPage(context, unsent, next)) ?? redirect(next)
    },
    { body: UnsentForm, detail: { hide: true } },
  )
}

/**
 * Leads to a provider with a page that refreshes. Browsers apply the policy's `form-action` to redirects after a form,
 * and a provider may redirect anywhere.
 */
async function providerPage(
  context: RequestContext,
  provider: Provider,
  { next, unsent }: { next: string; unsent?: string },
): Promise<Response> {
  const beginning = { userId: null, next, unsent }
  const label = providerLabels[provider]
  try {
    const { href } = await beginWithProvider(context, provider, beginning)
    const { siteName } = await context.viewer()
    const page = await renderPage(context, {
      frame: 'bare',
      meta: { title: 'Sign in', isIndexed: false },
      body: (
        <AuthPage siteName={siteName} title={`On to ${label}`} words="What you typed comes back with you.">
          <ButtonLink kind="primary" size="lg" isBlock href={href} data-hard="">
            Continue with {label}
          </ButtonLink>
        </AuthPage>
      ),
    })
    page.headers.set('refresh', `0; url=${href}`)
    return page
  } catch (error) {
    return refusedPage(context, beginning, error)
  }
}

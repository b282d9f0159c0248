import type { ReactNode } from 'react'
import type { RequestContext } from '#src/request/context'
import { renderPage, rerenderWithError } from '#src/request/render'
import { AuthPage } from '#src/ui/auth-page'
import { ButtonLink } from '#src/ui/button'
import type { FormError } from '#src/ui/field-problem'
import { urls } from '#src/urls'

/** A page with one form, for people who come from a mail or have lost their password. */
export type FormFrame = { title: string; words: string; body: ReactNode }

export async function formPage(
  context: RequestContext,
  { title, words, body }: FormFrame,
): Promise<Response> {
  const { siteName } = await context.viewer()
  return renderPage(context, {
    frame: 'bare',
    meta: { title, isIndexed: false },
    body: (
      <AuthPage siteName={siteName} title={title} words={words}>
        {body}
      </AuthPage>
    ),
  })
}

/**
 * Runs the action of a form and redirects to the path that it returns; a refusal shows the form again with the reason.
 */
export function submitForm(
  context: RequestContext,
  work: () => Promise<string>,
  again: (problem: FormError) => FormFrame,
): Promise<Response> {
  return rerenderWithError(context, work, (problem) => formPage(context, again(problem)))
}

/** The page of a mailed link that was used or has expired. It says so at once, without a form. */
export function linkOver(words: string): FormFrame {
  const settings = (
    <ButtonLink kind="primary" size="lg" isBlock href={urls.settings()}>
      Settings
    </ButtonLink>
  )
  return { title: 'This link no longer works', words, body: settings }
}

import type { ReactNode } from 'react'
import type { RequestContext } from '#src/http/context'
import { answerOf } from '#src/http/errors'
import { redirect } from '#src/http/redirect'
import { renderPage, viewerOf } from '#src/http/render'
import type { Parts } from '#src/parts'
import { DoorPage } from '#src/ui/door-page'

/** A page with one form, for who comes from a letter or has lost a key. */
export type Door = { title: string; words: string; body: ReactNode }

export async function doorPage(
  parts: Parts,
  request: Request,
  context: RequestContext,
  { title, words, body }: Door,
  status = 200,
): Promise<Response> {
  const viewer = await viewerOf(parts, context)
  return renderPage(parts, request, viewer, {
    status,
    frame: 'bare',
    meta: { title, isIndexed: false },
    body: (
      <DoorPage siteName={viewer.siteName} title={title} words={words}>
        {body}
      </DoorPage>
    ),
  })
}

/** Does what a form asks and leads on; a refusal shows the form again, with why. */
export async function orDoorAgain(
  parts: Parts,
  request: Request,
  context: RequestContext,
  work: () => Promise<unknown>,
  next: string,
  again: (error: string) => Door,
): Promise<Response> {
  try {
    await work()
    return redirect(next)
  } catch (error) {
    const { status, message } = answerOf(error, parts.log, context.id)
    if (status >= 500) throw error
    return doorPage(parts, request, context, again(message), status)
  }
}

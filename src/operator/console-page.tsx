import type { ReactNode } from 'react'
import OperatorSignIn from '#islands/operator/operator-sign-in'
import type { RequestContext } from '#src/request/context'
import { type AwaitedContent, type Page, renderPage, streamPage } from '#src/request/render'
import { UnsentInput } from '#src/request/unsent-form'
import { Awaited } from '#src/ui/awaited'
import { ConsoleNav, type ConsoleRoom } from '#src/ui/console/console-nav'
import { Island } from '#src/ui/island'
import { Markup } from '#src/ui/markup'
import type { Section } from '#src/ui/navigation'
import { type AccessEntrance, AccessForm } from './access-form'

export type ConsolePage = {
  title: string
  /** The name of the shown tab; it makes the titles of pages with one heading different. */
  tab?: string
  room: ConsoleRoom
  section?: Section
  /** A sentence below the heading. */
  words?: ReactNode
  /** The actions beside the heading. */
  actions?: ReactNode
  /** The entrance whose access card is shown. */
  entrance?: AccessEntrance
}

/**
 * Renders a page of the console: for operators the result of `body`, for everyone else the access card. `body` is
 * called only once the caller is known. It may return the whole page, in a `<ConsoleBody>`.
 */
export async function consolePage(
  context: RequestContext,
  page: ConsolePage,
  body: () => ReactNode | Promise<ReactNode | Markup>,
): Promise<Response> {
  if (!context.caller.operator) return accessPage(context, page.entrance ?? 'admin')
  return renderPage(context, pageAround(context, page, await body()))
}

/** Streams a page of the console for operators: sends it at once with `frame` in place of its content. */
export function streamConsolePage(
  context: RequestContext,
  page: ConsolePage,
  { frame, ...content }: AwaitedContent & { frame: ReactNode },
): Promise<Response> {
  return streamPage(context, pageAround(context, page, <Awaited frame={frame} />), content)
}

function pageAround(context: RequestContext, page: ConsolePage, content: ReactNode | Markup): Page {
  return {
    section: page.section,
    frame: 'console',
    meta: { title: page.tab ? `${page.tab} – ${page.title}` : page.title, isIndexed: false },
    body:
      content instanceof Markup ? (
        content
      ) : (
        <ConsoleBody page={page} endsAtMs={endsAtMsOf(context)}>
          {content}
        </ConsoleBody>
      ),
  }
}

/** When the operator's session ends, in milliseconds since 1970; null if it does not. */
export function endsAtMsOf({ caller }: RequestContext): number | null {
  return caller.operator?.endsAt?.getTime() ?? null
}

/** Frame around the content of every console page. */
export function ConsoleBody({
  page: { title, room, words, actions },
  endsAtMs,
  children,
}: {
  page: ConsolePage
  endsAtMs: number | null
  children: ReactNode
}) {
  return (
    <>
      <ConsoleNav current={room} />
      <header className="page-head">
        <div>
          <h1 className="title-lg">{title}</h1>
          {words && <p>{words}</p>}
        </div>
        {actions}
      </header>
      <noscript>
        <p className="lead">
          Without JavaScript you can read everything here, take the first steps, add stories on the Dashboard,
          import a sheet with its MP3s and look after members. Buttons that need it are not shown.
        </p>
      </noscript>
      {children}
      <Island name="operator-watch" props={{ endsAtMs }}>
        {null}
      </Island>
    </>
  )
}

/** Renders the card with the token field. `error` is set after a plain form was refused. */
export async function accessPage(
  context: RequestContext,
  entrance: AccessEntrance,
  refused: { error?: string; next?: string; unsent?: string } = {},
): Promise<Response> {
  const { request } = context
  const { pathname, search } = new URL(request.url)
  const next = refused.next ?? (entrance === 'admin-login' ? '/analytics' : pathname + search)
  return renderPage(context, {
    frame: 'console',
    meta: { title: 'Admin Access', isIndexed: false },
    body: (
      <div className="access">
        {refused.unsent === undefined ? (
          <Island
            name="operator-sign-in"
            of={OperatorSignIn}
            props={{ entrance, next, error: refused.error }}
          />
        ) : (
          // A plain form without the island, since its response contains the carried input.
          <AccessForm
            entrance={entrance}
            next={next}
            error={refused.error}
            unsentInput={<UnsentInput unsent={refused.unsent} />}
          />
        )}
      </div>
    ),
  })
}

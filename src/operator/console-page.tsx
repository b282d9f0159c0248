import type { ReactNode } from 'react'
import OperatorSession from '#islands/operator-session'
import OperatorSignIn from '#islands/operator-sign-in'
import type { RequestContext } from '#src/http/context'
import { renderPage, viewerOf } from '#src/http/render'
import type { Parts } from '#src/parts'
import { ConsoleNav, type ConsoleRoom } from '#src/ui/console/console-nav'
import { Island } from '#src/ui/island'
import type { Section } from '#src/ui/navigation'
import type { AccessDoor } from './access-form'

export type ConsolePage = {
  title: string
  room: ConsoleRoom
  section?: Section
  /** What stands beside the heading. */
  actions?: ReactNode
  /** Which card a visitor sees. */
  door?: AccessDoor
  status?: number
}

/**
 * A page of the console: for operators what `body` makes, for everyone else the card that asks for the token.
 * `body` is not called before that is known.
 */
export async function consolePage(
  parts: Parts,
  request: Request,
  context: RequestContext,
  page: ConsolePage,
  body: () => ReactNode | Promise<ReactNode>,
): Promise<Response> {
  const { title, room, section = null, actions, door = 'admin', status } = page
  const { operator } = context.caller
  if (!operator) return accessPage(parts, request, context, door)
  const content = await body()
  return renderPage(parts, request, await viewerOf(parts, context), {
    status,
    section,
    frame: 'console',
    meta: { title, isIndexed: false },
    body: (
      <>
        <ConsoleNav current={room} />
        <header className="page-head">
          <h1 className="title-lg">{title}</h1>
          {actions}
        </header>
        <noscript>
          <p className="lead">
            Without JavaScript you can read everything here, add stories on the Dashboard, import a sheet with
            its MP3s and look after members. The other buttons need it.
          </p>
        </noscript>
        {content}
        <Island
          name="operator-session"
          of={OperatorSession}
          props={{ endsAtMs: operator.endsAt?.getTime() ?? null }}
          when="idle"
        />
      </>
    ),
  })
}

/** The card with the token field; `error` after a plain form was refused. */
export async function accessPage(
  parts: Parts,
  request: Request,
  context: RequestContext,
  door: AccessDoor,
  refused: { error?: string; next?: string; status?: number } = {},
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const next = refused.next ?? (door === 'admin-login' ? '/analytics' : pathname + search)
  return renderPage(parts, request, await viewerOf(parts, context), {
    status: refused.status,
    frame: 'console',
    meta: { title: 'Admin Access', isIndexed: false },
    body: (
      <div className="access">
        <Island name="operator-sign-in" of={OperatorSignIn} props={{ door, next, error: refused.error }} />
      </div>
    ),
  })
}

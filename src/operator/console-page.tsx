import type { ReactElement, ReactNode } from 'react'
import OperatorSignIn from '#islands/operator/operator-sign-in'
import type { RequestContext } from '#src/request/context'
import { type AwaitedContent, type Page, renderPage, streamPage } from '#src/request/render'
import { UnsentInput } from '#src/request/unsent-form'
import { Awaited } from '#src/ui/awaited'
import { ConsoleNav, type ConsoleRoom } from '#src/ui/console/console-nav'
import { drawAround } from '#src/ui/fragments'
import { Island } from '#src/ui/island'
import type { Piece } from '#src/ui/markup'
import type { Section } from '#src/ui/navigation'
import { type AccessEntrance, AccessForm } from './access-form'

export type ConsolePage = {
  title: string
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
 * A page of the console: for operators the result of `body`, for everyone else the access card. `body` is not called
 * before the caller is known.
 */
export async function consolePage(
  context: RequestContext,
  page: ConsolePage,
  body: () => ReactNode | Promise<ReactNode | WithCards>,
): Promise<Response> {
  if (!context.caller.operator) return accessPage(context, page.entrance ?? 'admin')
  const drawn = await body()
  if (!isWithCards(drawn)) return renderPage(context, pageAround(context, page, drawn))
  const { islandCodes } = context.services.assets.manifest
  const around = pageAround(context, page, drawn.content)
  return renderPage(context, { ...around, body: drawAround(islandCodes, around.body, drawn.cards) })
}

/** Content with a `<CardPlace>`, and its cards. */
type WithCards = { content: ReactNode; cards: readonly Piece[] }

function isWithCards(drawn: ReactNode | WithCards): drawn is WithCards {
  return typeof drawn === 'object' && drawn !== null && 'cards' in drawn
}

/** A page of the console for operators, sent at once with `frame` in the place of its content. */
export function streamConsolePage(
  context: RequestContext,
  page: ConsolePage,
  { frame, ...content }: AwaitedContent & { frame: ReactNode },
): Promise<Response> {
  return streamPage(context, pageAround(context, page, <Awaited frame={frame} />), content)
}

function pageAround(
  { caller }: RequestContext,
  { title, room, section, words, actions }: ConsolePage,
  content: ReactNode,
): Page & { body: ReactElement } {
  return {
    section,
    frame: 'console',
    meta: { title, isIndexed: false },
    body: (
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
            Without JavaScript you can read everything here, take the first steps, add stories on the
            Dashboard, import a sheet with its MP3s and look after members. Buttons that need it are not
            shown.
          </p>
        </noscript>
        {content}
        <Island name="operator-watch" props={{ endsAtMs: caller.operator?.endsAt?.getTime() ?? null }}>
          {null}
        </Island>
      </>
    ),
  }
}

/** The card with the token field; `error` after a plain form was refused. */
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
          // Sent as a plain form, whose answer has what was typed.
          <AccessForm
            entrance={entrance}
            next={next}
            error={refused.error}
            carried={<UnsentInput unsent={refused.unsent} />}
          />
        )}
      </div>
    ),
  })
}

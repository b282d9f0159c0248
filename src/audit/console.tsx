import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { consoleUrls } from '#src/console-urls'
import { wholeNumber } from '#src/http/query'
import { consolePage } from '#src/operator/console-page'
import { operatorNameOf } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import { undoChange } from '#src/selection/change-many'
import type { Services } from '#src/services'
import { isId } from '#src/shape/id'
import { cutPage, shownCount } from '#src/shape/list-page'
import { oneOf } from '#src/shape/one-of'
import { CountLine } from '#src/ui/console/count-line'
import { Notice } from '#src/ui/notice'
import { AuditFilters } from './audit-filters'
import { AuditLog } from './audit-log'
import { ChangedItems } from './changed-items'
import { countChanges, findChange, listActors, listChangedItems, listChanges } from './list-changes'
import { actorName, auditActions, sentenceOf } from './rules'
import { AuditQuery } from './schema'

const changesShown = 50
const itemsShown = 100
const room = 'Audit log'

const ShownQuery = {
  ...AuditQuery,
  // Empty if every action is chosen.
  action: t.Optional(oneOf(['', ...auditActions])),
  cursor: t.Optional(t.String({ maxLength: 64 })),
}

/** The page /audit: every operator's changes, the newest first, and the items of a bulk change. */
export function auditConsole(services: Services) {
  const { db } = services
  return router()
    .post(
      '/audit/undo',
      async ({ context, body: { id, ...shown }, caller }) =>
        rerenderWithError(
          context,
          async () => {
            await undoChange(services, id, operatorNameOf(caller))
            return consoleUrls.audit(shown)
          },
          ({ message }) => logPage(context, shown, message),
        ),
      { body: t.Object({ id: t.String({ maxLength: 64 }), ...ShownQuery }), detail: { hide: true } },
    )
    .get('/audit', ({ context, query }) => logPage(context, query), {
      query: t.Object(ShownQuery),
      detail: { hide: true },
    })
    .get(
      '/audit/:id',
      async ({ params, query, context }) => {
        if (!isId(params.id)) throw missing()
        if (!context.caller.operator) return consolePage(context, { title: 'Audit log', room }, () => null)
        const change = await findChange(db, params.id)
        if (!change) throw missing()
        const title = `${actorName(change.actor)} ${sentenceOf(change)}`
        return consolePage(context, { title, room }, async () => {
          const rows = await listChangedItems(db, change.id, { limit: itemsShown + 1, after: query.cursor })
          const { page, nextCursor } = cutPage(rows, itemsShown, ({ place }) => place)
          return <ChangedItems change={change} items={page} nextCursor={nextCursor} />
        })
      },
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        query: t.Object({ cursor: t.Optional(wholeNumber('cursor', 0, 2 ** 31 - 1)) }),
        detail: { hide: true },
      },
    )
}

/** `problem` says why a change was not undone. */
function logPage(
  context: RequestContext,
  { cursor, ...filter }: t.Static<t.TObject<typeof ShownQuery>>,
  problem?: string,
): Promise<Response> {
  const { db } = context.services
  return consolePage(context, { title: 'Audit log', room }, async () => {
    const [rows, counted, actors] = await Promise.all([
      listChanges(db, { ...filter, limit: changesShown + 1, before: cursor }),
      countChanges(db, filter),
      listActors(db),
    ])
    const { page, nextCursor } = cutPage(rows, changesShown, ({ id }) => id)
    return (
      <>
        {problem && <Notice kind="bad">{problem}</Notice>}
        <AuditFilters filter={filter} actors={actors} />
        <CountLine {...shownCount(counted)} noun="change" />
        <AuditLog changes={page} nextCursor={nextCursor} filter={filter} cursor={cursor} />
      </>
    )
  })
}

function missing(): AppError {
  return new AppError('not_found', 'There is no such change.')
}

import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { wholeNumber } from '#src/http/query'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { isId } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'
import { Table } from '#src/ui/console/table'
import { LocalTime } from '#src/ui/local-time'
import { urls } from '#src/urls'
import { ChangeDiff } from './change-diff'
import { consolePage } from './console-page'
import { findChange, type ListedChange, listChangedItems, listChanges } from './list-changes'

const changesShown = 50
const itemsShown = 100

/** /audit: every operator's change, the newest first, and the items of a bulk change. */
export function auditConsole(services: Services) {
  return router()
    .get(
      '/audit',
      async ({ context, query }) =>
        consolePage(context, { title: 'Audit log', room: 'Audit log' }, async () => {
          const { cursor, actor } = query
          const rows = await listChanges(services.db, { limit: changesShown + 1, before: cursor, actor })
          return (
            <AuditLog
              changes={rows.slice(0, changesShown)}
              hasMore={rows.length > changesShown}
              actor={actor}
            />
          )
        }),
      {
        query: t.Object({
          cursor: t.Optional(t.String({ maxLength: 64 })),
          actor: t.Optional(t.String({ maxLength: 200 })),
        }),
        detail: { hide: true },
      },
    )
    .get(
      '/audit/:id',
      async ({ params, query, context }) => {
        if (!isId(params.id)) throw missing()
        const room = { room: 'Audit log' } as const
        if (!context.caller.operator) return consolePage(context, { title: 'Audit log', ...room }, () => null)
        const change = await findChange(services.db, params.id)
        if (!change) throw missing()
        return consolePage(context, { title: nameOf(change), ...room }, async () => {
          const page = { limit: itemsShown + 1, after: query.cursor }
          const items = await listChangedItems(services.db, change.id, page)
          return (
            <ChangedItems
              change={change}
              items={items.slice(0, itemsShown)}
              hasMore={items.length > itemsShown}
            />
          )
        })
      },
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        query: t.Object({ cursor: t.Optional(wholeNumber('cursor', 0, 2 ** 31 - 1)) }),
        detail: { hide: true },
      },
    )
}

function AuditLog({
  changes,
  hasMore,
  actor,
}: {
  changes: readonly ListedChange[]
  hasMore: boolean
  actor: string | undefined
}) {
  return (
    <>
      {actor && (
        <p className="btn-row section">
          <span>Only what {actor} changed.</span>
          <a className="btn btn-ghost btn-sm" href={urls.audit()}>
            Show everyone
          </a>
        </p>
      )}
      <section className="panel panel-flush" aria-label="Changes">
        {changes.length === 0 ? (
          <p className="plan-head lead">Nothing was changed yet.</p>
        ) : (
          <Table label="Audit log" columns={['When', 'Who', 'What', 'Before and after']}>
            {changes.map((change) => (
              <tr key={change.id}>
                <td data-label="When" className="num">
                  <LocalTime at={change.at} />
                </td>
                <td data-label="Who">
                  <a href={urls.audit({ actor: change.actor })}>{change.actor}</a>
                </td>
                <td>
                  <strong>{nameOf(change)}</strong>
                  {change.subjectId && <p className="meta id">{change.subjectId}</p>}
                </td>
                <td>
                  <ChangeDiff before={change.before} after={change.after} />
                  {change.items > 0 && (
                    <a href={urls.auditChange(change.id)}>
                      {pluralize(change.items, 'item')}
                      <span className="visually-hidden"> of {nameOf(change)}</span>
                    </a>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
        {hasMore && (
          <p className="table-more">
            <a className="btn btn-ghost btn-sm" href={urls.audit({ actor, cursor: changes.at(-1)?.id })}>
              Older changes
            </a>
          </p>
        )}
      </section>
    </>
  )
}

/** Every item of a bulk change, with its outcome. */
function ChangedItems({
  change,
  items,
  hasMore,
}: {
  change: ListedChange
  items: Awaited<ReturnType<typeof listChangedItems>>
  hasMore: boolean
}) {
  return (
    <>
      <p className="btn-row section">
        <span>
          <LocalTime at={change.at} /> · {change.actor} · {pluralize(change.items, 'item')}
        </span>
        <a className="btn btn-ghost btn-sm" href={urls.audit()}>
          The whole log
        </a>
      </p>
      <section className="panel panel-flush" aria-label="Items">
        <Table label="Items of the change" columns={['Item', 'What became of it', 'Fields']}>
          {items.map((item) => (
            <tr key={item.place}>
              <td>
                <strong>{item.title}</strong>
                <p className="meta id">{item.id}</p>
              </td>
              <td data-label="What became of it">{item.verdict}</td>
              <td data-label="Fields">{item.fields.join(', ') || '–'}</td>
            </tr>
          ))}
        </Table>
        {hasMore && (
          <p className="table-more">
            <a
              className="btn btn-ghost btn-sm"
              href={urls.auditChange(change.id, { cursor: items.at(-1)?.place })}
            >
              More items
            </a>
          </p>
        )}
      </section>
    </>
  )
}

function nameOf({ action, subjectType }: ListedChange): string {
  return action === subjectType ? action : `${action} ${subjectType}`
}

function missing(): AppError {
  return new AppError('not_found', 'There is no such change.')
}

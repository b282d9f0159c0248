import * as t from 'typebox'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { Table } from '#src/ui/console/table'
import { LocalTime } from '#src/ui/local-time'
import { urls } from '#src/urls'
import { ChangeDiff } from './change-diff'
import { consolePage } from './console-page'
import { type ListedChange, listChanges } from './list-changes'

const changesShown = 50

/** /audit: every change of an operator's, the newest first. */
export function auditConsole(parts: Parts) {
  return router().get(
    '/audit',
    async ({ request, context, query }) =>
      consolePage(parts, request, context, { title: 'Audit log', room: 'Audit log' }, async () => {
        const { cursor, actor } = query
        const rows = await listChanges(parts.db, { limit: changesShown + 1, before: cursor, actor })
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
                  <strong>
                    {change.action === change.subjectType
                      ? change.action
                      : `${change.action} ${change.subjectType}`}
                  </strong>
                  {change.subjectId && <p className="meta id">{change.subjectId}</p>}
                </td>
                <td>
                  <ChangeDiff before={change.before} after={change.after} />
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

import { consoleUrls } from '#src/console-urls'
import { labelOf } from '#src/shape/invalid-field'
import { dot, joinFacts } from '#src/text/join-facts'
import { pluralize } from '#src/text/pluralize'
import { Table } from '#src/ui/console/table'
import { LocalTime } from '#src/ui/local-time'
import { TableMore } from '#src/ui/more'
import type { ListedChange, listChangedItems } from './list-changes'
import { actorName } from './rules'

/** Lists every item of a bulk change, with its outcome. */
export function ChangedItems({
  change,
  items,
  nextCursor,
}: {
  change: ListedChange
  items: Awaited<ReturnType<typeof listChangedItems>>
  nextCursor: number | null
}) {
  return (
    <>
      <p className="btn-row section">
        <span>
          <LocalTime at={change.at} />
          {dot}
          {joinFacts(actorName(change.actor), pluralize(change.items, 'item'))}
        </span>
        <a className="btn btn-ghost btn-sm" href={consoleUrls.audit()}>
          The whole log
        </a>
      </p>
      <section className="panel panel-flush" aria-label="Items">
        <Table label="Items of the change" columns={['Item', 'What became of it', 'Fields']}>
          {items.map((item) => (
            <tr key={item.place}>
              <th scope="row">
                <strong>
                  <a href={consoleUrls.audit({ item: item.id })}>{item.title}</a>
                </strong>
              </th>
              <td data-label="What became of it">{item.verdict}</td>
              <td data-label="Fields">{item.fields.map(labelOf).join(', ') || '–'}</td>
            </tr>
          ))}
        </Table>
        {nextCursor !== null && (
          <TableMore href={consoleUrls.auditChange(change.id, { cursor: nextCursor })}>More items</TableMore>
        )}
      </section>
    </>
  )
}

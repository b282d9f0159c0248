import { consoleUrls } from '#src/console-urls'
import { pluralize } from '#src/text/pluralize'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { NothingHere } from '#src/ui/console/nothing-here'
import { Table } from '#src/ui/console/table'
import { LocalTime } from '#src/ui/local-time'
import { TableMore } from '#src/ui/more'
import { ChangeDiff } from './change-diff'
import type { ChangeFilter, ListedChange } from './list-changes'
import { actorName, isOfMany, sentenceAround, sentenceOf } from './rules'

/** The page of changes that is shown; an undo returns to it. */
type ShownPage = ChangeFilter & { cursor?: string }

/** Lists changes as sentences, the newest first, with the state before and after. */
export function AuditLog({
  changes,
  nextCursor,
  filter,
  cursor,
}: {
  changes: readonly ListedChange[]
  nextCursor: string | null
  filter: ChangeFilter
  cursor: string | undefined
}) {
  const isFiltered = Object.values(filter).some(Boolean)
  return (
    <section className="section section-next panel panel-flush" aria-label="Changes">
      {changes.length === 0 ? (
        <NothingHere>{isFiltered ? 'No change in the log matches.' : 'No changes yet.'}</NothingHere>
      ) : (
        <Table label="Audit log" columns={['When', 'What happened', 'Before and after']}>
          {changes.map((change) => (
            <ChangeRow key={change.id} change={change} shown={{ ...filter, cursor }} />
          ))}
        </Table>
      )}
      {nextCursor && (
        <TableMore href={consoleUrls.audit({ ...filter, cursor: nextCursor })}>Older changes</TableMore>
      )}
    </section>
  )
}

type Row = { change: ListedChange; shown: ShownPage }

function ChangeRow(row: Row) {
  const { change } = row
  return (
    <tr>
      <td data-label="When" className="num">
        <LocalTime at={change.at} />
      </td>
      <th scope="row">
        <Sentence change={change} />
      </th>
      <td>
        <ChangeDiff before={change.before} after={change.after} />
        {change.items > 0 && (
          <a href={consoleUrls.auditChange(change.id)}>
            {pluralize(change.items, 'item')}
            <span className="visually-hidden"> of: {sentenceOf(change)}</span>
          </a>
        )}{' '}
        {isOfMany(change) && (change.isUndone ? <Badge kind="line">Undone</Badge> : <UndoForm {...row} />)}
      </td>
    </tr>
  )
}

/** Form that undoes a change of many items, long after its toast. Rows that changed since stay as they are. */
function UndoForm({ change, shown }: Row) {
  return (
    <form action={consoleUrls.undoMany()} method="post">
      <input type="hidden" name="id" value={change.id} />
      {Object.entries(shown).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <Button size="sm" type="submit" aria-label={`Undo: ${sentenceOf(change)}`}>
        Undo
      </Button>
    </form>
  )
}

function Sentence({ change }: { change: ListedChange }) {
  const { actor, name } = change
  const [before, after] = sentenceAround(change)
  const href = subjectHref(change)
  return (
    <strong className="sentence" dir="auto">
      <a href={consoleUrls.audit({ actor })}>{actorName(actor)}</a>{' '}
      {href ? (
        <>
          {before}
          {after !== null && <a href={href}>{name}</a>}
          {after}
        </>
      ) : (
        sentenceOf(change)
      )}
    </strong>
  )
}

/** The address of the changed subject's page; for an item, a list of all its changes. */
function subjectHref({ subjectType, subjectId, name }: ListedChange): string | null {
  if (subjectId === null || name === null) return null
  if (subjectType === 'item') return consoleUrls.audit({ item: subjectId })
  if (subjectType === 'member') return consoleUrls.member(subjectId)
  return subjectType === 'challenge' ? consoleUrls.challengeEditor({ id: subjectId }) : null
}

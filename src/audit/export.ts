import type { Executor } from '#db/db'
import { toCsv } from '#src/text/csv'
import { diffStates } from './diff-rules'
import { type ChangeFilter, type ListedChange, listChanges } from './list-changes'
import { actorName, sentenceOf } from './rules'

export const changesAtOnce = 500
const headings = ['When', 'Who', 'What', 'Before', 'After', 'Items', 'Kind', 'Action', 'Subject id', 'Id']

/**
 * Streams the audit log as CSV, the newest first, page by page, so that it need not fit into memory. Throws `invalid`
 * with the first lines.
 */
export async function* exportChanges(db: Executor, filter: ChangeFilter): AsyncGenerator<string> {
  // Without this byte order mark, spreadsheets do not read a CSV as UTF-8.
  let head = `\ufeff${toCsv([headings])}`
  let before: string | undefined
  do {
    const page = await listChanges(db, { ...filter, before, limit: changesAtOnce })
    yield head + toCsv(page.map(cellsOf))
    head = ''
    before = page.length === changesAtOnce ? page.at(-1)?.id : undefined
  } while (before)
}

function cellsOf(change: ListedChange): (string | number)[] {
  const { id, at, actor, items, subjectType, action, subjectId } = change
  const fields = diffStates(change.before, change.after)
  const side = (which: 'before' | 'after') =>
    fields.flatMap(({ field, [which]: value }) => (value === null ? [] : `${field}: ${value}`)).join('\n')
  return [
    at.toISOString(),
    actorName(actor),
    sentenceOf(change),
    side('before'),
    side('after'),
    items,
    subjectType,
    action,
    subjectId ?? '',
    id,
  ]
}

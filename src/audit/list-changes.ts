import { and, asc, desc, eq, getTableColumns, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { auditItems, auditLog } from '#db/schema'
import { isUndone } from '#src/operator/moves'
import { isId } from '#src/shape/id'
import { invalidField } from '#src/shape/invalid-field'
import { exactCountMax, readIdCursor } from '#src/shape/list-page'
import { isDayOfCalendar } from '#src/shape/read-instant'
import { isOpenToOperators } from '#src/story/operator-sight'
import { searchFor } from '#src/story/search'
import { nameSubjects } from './name-subjects'
import { parseAction } from './rules'

export const changesLimitMax = 100
/** Items of a change on one page. */
export const changedItemsMax = 500
/** Maximum items whose titles match a filter; the changes of further ones are not searched. */
const foundItemsMax = 500

/** Filter of changes; an empty value does not filter. */
export type ChangeFilter = {
  actor?: string
  /** The kind of subject and the action, as in `item.edit`. */
  action?: string
  /** An item's id, or the beginnings of words of its title. */
  item?: string
  /** The first and the last day, in UTC, as in `2026-11-23`. */
  from?: string
  to?: string
}

/**
 * Lists the audit log, the newest first, with the names of the subjects. `before` is the id of the last change on the
 * previous page. Throws `invalid` for a malformed id or day.
 */
export async function listChanges(
  db: Executor,
  { limit = 50, before, ...filter }: ChangeFilter & { limit?: number; before?: string } = {},
) {
  const rows = await db
    .select(shownChange)
    .from(auditLog)
    .where(and(before === undefined ? undefined : lt(auditLog.id, readIdCursor(before)), filterOf(filter)))
    // Ids are ordered by time, and unlike timestamps they are unique.
    .orderBy(desc(auditLog.id))
    .limit(limit)
  return nameSubjects(db, rows)
}

/** Counts the changes that match a filter, up to one more than is counted exactly. */
export async function countChanges(db: Executor, filter: ChangeFilter): Promise<number> {
  const some = db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(filterOf(filter))
    .limit(exactCountMax + 1)
  return db.$count(some.as('some'))
}

export type ListedChange = Awaited<ReturnType<typeof listChanges>>[number]

/** Finds one change; null if there is none. */
export async function findChange(db: Executor, id: string): Promise<ListedChange | null> {
  if (!isId(id)) return null
  const rows = await db.select(shownChange).from(auditLog).where(eq(auditLog.id, id))
  const [change] = await nameSubjects(db, rows)
  return change ?? null
}

/** Lists the items of a bulk change in their order; `after` is the position of the last item on the previous page. */
export function listChangedItems(
  db: Executor,
  changeId: string,
  { limit = changedItemsMax, after }: { limit?: number; after?: number } = {},
) {
  return db
    .select({
      place: auditItems.place,
      id: auditItems.itemId,
      title: auditItems.title,
      verdict: auditItems.verdict,
      fields: auditItems.fields,
    })
    .from(auditItems)
    .where(
      and(eq(auditItems.changeId, changeId), after === undefined ? undefined : gt(auditItems.place, after)),
    )
    .orderBy(asc(auditItems.place))
    .limit(limit)
}

/** Lists the actors in the log, without members. Each takes one step along an index, however long the log is. */
export async function listActors(db: Executor): Promise<string[]> {
  const rows = await db.execute<{ actor: string }>(sql`
    with recursive names as (
      (select actor from audit_log order by actor limit 1)
      union all
      select (select actor from audit_log where actor > names.actor order by actor limit 1) from names
      where names.actor is not null
    )
    select actor from names where actor is not null and actor not like 'member:%' limit 200`)
  return rows.map(({ actor }) => actor)
}

function filterOf({ actor, action, item, from, to }: ChangeFilter): SQL | undefined {
  const first = readDay('from', from)
  const last = readDay('to', to)
  return and(
    actor ? eq(auditLog.actor, actor) : undefined,
    action ? isAction(action) : undefined,
    item?.trim() ? isAbout(item.trim()) : undefined,
    first && sql`${auditLog.at} >= ${first.toISOString()}::timestamptz`,
    last && sql`${auditLog.at} < ${last.toISOString()}::timestamptz + interval '1 day'`,
  )
}

function isAction(value: string): SQL | undefined {
  const { subjectType, action } = parseAction(value)
  return and(eq(auditLog.subjectType, subjectType), eq(auditLog.action, action))
}

/**
 * Condition of the changes of matching items, of reports, comments and jobs about them, and of bulk changes that name
 * them.
 */
function isAbout(item: string): SQL {
  return sql`${auditLog.id} in (
    with found as materialized (${foundItems(item)})
    select audit_log.id from audit_log where subject_type = 'item' and subject_id in (select id::text from found)
    union select change_id from audit_items where item_id in (select id from found)
    union select audit_log.id from audit_log join content_flags on subject_id = content_flags.id::text
      where subject_type = 'report' and story_id in (select id from found)
    union select audit_log.id from audit_log join story_feedback on subject_id = story_feedback.id::text
      where subject_type = 'feedback' and story_id in (select id from found)
    union select audit_log.id from audit_log join jobs on subject_id = jobs.id::text
      where subject_type = 'job' and story_id in (select id from found))`
}

/** A search by id finds deleted items too. */
function foundItems(item: string): SQL {
  if (isId(item)) return sql`select ${item}::uuid as id`
  const found = searchFor(item) ?? sql`false`
  return sql`select id from stories where ${found} and ${isOpenToOperators()} limit ${foundItemsMax}`
}

function readDay(name: 'from' | 'to', value: string | undefined): Date | undefined {
  if (!value) return undefined
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || !isDayOfCalendar(value))
    throw invalidField(name, 'Expected a day such as 2026-11-23')
  return new Date(`${value}T00:00:00Z`)
}

const shownChange = {
  ...getTableColumns(auditLog),
  /** How many items the change names. */
  items: sql<number>`(select count(*) from audit_items where change_id = audit_log.id)::int`,
  isUndone,
}

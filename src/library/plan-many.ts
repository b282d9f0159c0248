import { inArray, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import type { Move as StatusMove } from '#src/operator/moves'
import { isId } from '#src/shape/id'
import { invalidField } from '#src/shape/invalid-field'
import type { Status } from '#src/story/rules'
import {
  changedAtOnceMax,
  type ManyChange,
  moves,
  plannedShown,
  type Verdict,
  verdictOf,
} from './change-many-rules'
import type { ManyOutcome } from './change-many-schema'
import { type LibraryFilter, matching } from './queries'
import { statusBeforeRemoval, twinOf } from './remove'

/** A change of the items with these `ids`, or of those that a filter matches. Exactly one of the two is given. */
export type ManyItems = { change: ManyChange; ids?: readonly string[]; filter?: LibraryFilter }

export type Row = {
  id: string
  title: string
  status: Status
  publishedAt: Date
  /** The status before the removal. */
  before: Status
  /** The item's type and title. */
  key: string
  createdAt: Date
  removedAt: Date | null
  isOfUndoneImport: boolean
  /** Whether an item of the same title has entered the library since this one was removed. */
  hasTwin: boolean
}
/** One item's change of status. `publishedAt` is the time of an item that was scheduled. */
export type Move = StatusMove<Status> & { publishedAt?: string }

/** Plans a change of many items without making it. Throws `invalid`. */
export async function planMany(db: Executor, wanted: ManyItems): Promise<ManyOutcome> {
  return outcomeOf(requireWithinLimit(await queryMany(db, wanted)), wanted)
}

/**
 * Queries the rows of a change in the order of their ids, in which they are locked; one more than may be changed at
 * once, to notice too many. Throws `invalid`.
 */
export function queryMany(db: Executor, { ids, filter }: ManyItems) {
  if ((ids === undefined) === (filter === undefined)) throw invalidField('ids', 'Expected ids or a filter')
  const isChosen = ids ? inArray(stories.id, ids.filter(isId)) : undefined
  return db
    .select({
      id: stories.id,
      title: stories.title,
      status: stories.status,
      publishedAt: stories.publishedAt,
      before: sql<Status>`case when status = 'removed' then ${statusBeforeRemoval} else status end`,
      key: sql<string>`type || ' ' || title_key`,
      createdAt: stories.createdAt,
      removedAt: stories.removedAt,
      isOfUndoneImport: sql<boolean>`removed_by_import is not null`,
      hasTwin: sql<boolean>`exists (${twinOf})`,
    })
    .from(stories)
    .where(filter ? matching(filter) : sql`source = 'pre_uploaded' and ${isChosen}`)
    .orderBy(stories.id)
    .limit(changedAtOnceMax + 1)
}

/** Throws `invalid` if there are too many rows. */
export function requireWithinLimit(rows: Row[]): Row[] {
  if (rows.length > changedAtOnceMax)
    throw invalidField('filter', `Expected at most ${changedAtOnceMax} items. Narrow the filter`)
  return rows
}

/** The rows, each with its outcome. */
function judge(rows: readonly Row[], { change }: ManyItems): (Row & { verdict: Verdict })[] {
  const back = new Map<string, Row[]>()
  return rows.map((row) => {
    const verdict = verdictOf(row.status, change)
    if (change !== 'restore' || verdict !== 'change') return { ...row, verdict }
    const others = back.get(row.key) ?? []
    if (row.hasTwin || others.some((other) => isTwin(other, row) || isTwin(row, other)))
      return { ...row, verdict: 'taken' }
    back.set(row.key, [...others, row])
    return { ...row, verdict }
  })
}

/** The rule of `twinOf`, for two items of one title that would be restored together. */
function isTwin(other: Row, { removedAt, isOfUndoneImport }: Row): boolean {
  return isOfUndoneImport || (removedAt !== null && other.createdAt > removedAt)
}

/** The moves of the rows that change. */
export function movesOf(rows: readonly Row[], wanted: ManyItems): Move[] {
  const { to } = moves[wanted.change]
  return judge(rows, wanted)
    .filter(({ verdict }) => verdict === 'change')
    .map(({ id, title, status, before, publishedAt }) => ({
      id,
      title,
      before: status,
      after: to === 'before' ? before : to,
      ...(status === 'scheduled' && { publishedAt: publishedAt.toISOString() }),
    }))
}

/** Counts the outcomes of the rows. */
export function outcomeOf(rows: readonly Row[], wanted: ManyItems): ManyOutcome {
  const judged = judge(rows, wanted)
  const countOf = (which: Verdict) => judged.filter(({ verdict }) => verdict === which).length
  return {
    changed: countOf('change'),
    same: countOf('same'),
    held: countOf('held'),
    taken: countOf('taken'),
    items: movesOf(rows, wanted).slice(0, plannedShown),
    changeId: null,
  }
}

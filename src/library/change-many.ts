import { inArray, sql } from 'drizzle-orm'
import { nextUpdatedAt } from '#db/columns'
import type { Database, Executor, Transaction } from '#db/db'
import { stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { listMoves, recordMoves, type Move as StatusMove } from '#src/operator/moves'
import { holdForbidden } from '#src/review/hold-forbidden'
import { isId } from '#src/shape/id'
import { invalidField } from '#src/shape/invalid-field'
import { libraryChanged } from '#src/story/library-changed'
import { type Status, statuses } from '#src/story/rules'
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
import { lockTitles, statusBeforeRemoval, twinOf } from './remove'

/** Either `ids` or a filter. */
type ManyItems = { change: ManyChange; ids?: readonly string[]; filter?: LibraryFilter }

type Row = {
  id: string
  title: string
  status: Status
  publishedAt: Date
  /** Where a removed item stood before. */
  before: Status
  /** Its type and title. */
  key: string
  createdAt: Date
  removedAt: Date | null
  isOfUndoneImport: boolean
  /** Its title has come into the library again since it was removed. */
  hasTwin: boolean
}
/** `publishedAt`: of an item that was scheduled, its time. */
type Move = StatusMove<Status> & { publishedAt?: string }

/** What a change of many items would do; changes nothing. Throws `invalid`. */
export async function planMany(db: Executor, wanted: ManyItems): Promise<ManyOutcome> {
  return outcomeOf(requireFew(await queryMany(db, wanted)), wanted)
}

/** Publishes, unpublishes, removes or restores many items in one transaction, with one audit entry. Throws `invalid`. */
export async function changeMany(db: Database, wanted: ManyItems, by: string): Promise<ManyOutcome> {
  const outcome = await db.transaction(async (tx) => {
    if (wanted.change === 'restore') await lockTitles(tx)
    const rows = requireFew(await queryMany(tx, wanted).for('no key update'))
    const planned = outcomeOf(rows, wanted)
    const { changeId, made } = await move(tx, movesOf(rows, wanted), { by, action: wanted.change })
    const held = made.filter(isHeld).length
    return {
      ...planned,
      changed: planned.changed - held,
      held: planned.held + held,
      items: made.slice(0, plannedShown),
      changeId,
    }
  })
  await libraryChanged(db)
  return outcome
}

/**
 * Takes a change of many items back: those that still stand where it put them go back to where they were; what was
 * changed since stays, and so does what was removed and whose title has come again. Throws `not_found` for another
 * change, and `conflict` where nothing is left to undo.
 */
export async function undoMany(db: Database, changeId: string, by: string): Promise<ManyOutcome> {
  const outcome = await db.transaction(async (tx) => {
    const made = await listMade(tx, changeId)
    if (made.length === 0) throw new AppError('not_found', 'There is no such change of many items.')
    if (made.some(({ after }) => after === 'removed')) await lockTitles(tx)
    const present = await lockMany(
      tx,
      made.map(({ id }) => id),
    )
    const standing = made.filter(
      ({ id, after, isMovedSince }) => !isMovedSince && present.get(id)?.status === after,
    )
    const back = standing
      .filter(({ id, after }) => after !== 'removed' || !present.get(id)?.hasTwin)
      .map(({ isMovedSince: _, ...each }) => ({ ...each, before: each.after, after: each.before }))
    if (back.length === 0) throw new AppError('conflict', 'Nothing of it is left to undo.')
    const moved = await move(tx, back, { by, action: 'undo', undoneId: changeId })
    const held = moved.made.filter(isHeld).length
    return {
      changed: back.length - held,
      same: made.length - standing.length,
      held,
      taken: standing.length - back.length,
      items: moved.made.slice(0, plannedShown),
      changeId: null,
    }
  })
  await libraryChanged(db)
  return outcome
}

function queryMany(db: Executor, { ids, filter }: ManyItems) {
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

function requireFew(rows: Row[]): Row[] {
  if (rows.length > changedAtOnceMax)
    throw invalidField('filter', `Expected at most ${changedAtOnceMax} items. Narrow the filter`)
  return rows
}

/** The rows, each with what becomes of it. */
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

/** The rule of `twinOf`, for two of one title that would come back together. */
function isTwin(other: Row, { removedAt, isOfUndoneImport }: Row): boolean {
  return isOfUndoneImport || (removedAt !== null && other.createdAt > removedAt)
}

function movesOf(rows: readonly Row[], wanted: ManyItems): Move[] {
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

function outcomeOf(rows: readonly Row[], wanted: ManyItems): ManyOutcome {
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

/**
 * Writes the statuses, and one audit entry that names every item. Returns the entry's id and the moves that were made:
 * of what comes back the guidelines may forbid some by now, which is held.
 */
async function move(
  tx: Transaction,
  going: readonly Move[],
  { by, action, undoneId }: { by: string; action: ManyItems['change'] | 'undo'; undoneId?: string },
): Promise<{ changeId: string | null; made: readonly Move[] }> {
  if (going.length === 0) return { changeId: null, made: [] }
  for (const [after, those] of Map.groupBy(going, (each) => each.after)) {
    const ids = `{${those.map(({ id }) => id).join(',')}}`
    // What is published by hand appears now, what is scheduled again at its time; what is removed knows where it was.
    await tx.execute(sql`
      update stories set status = ${after}, updated_at = ${nextUpdatedAt},
        published_at = case when ${after} = 'published' then least(published_at, now())
          else coalesce((${JSON.stringify(timesOf(those))}::text::jsonb->>id::text)::timestamptz, published_at) end,
        removed_from = case when ${after} = 'removed' then status end
      where id = any(${ids}::uuid[])`)
  }
  const isBack = going.filter(({ before }) => before === 'removed')
  const held = new Set(
    await holdForbidden(
      tx,
      isBack.map(({ id }) => id),
      by,
    ),
  )
  const made = going.map((each) => (held.has(each.id) ? { ...each, after: 'held' as const } : each))
  const times = timesOf(made)
  const changeId = await recordMoves(
    tx,
    by,
    { action, subjectType: 'items' },
    { moves: made, before: Object.keys(times).length > 0 ? { times } : null, undoneId },
  )
  return { changeId, made }
}

function isHeld({ after }: Move): boolean {
  return after === 'held'
}

/** By id, when a scheduled item was to appear. */
function timesOf(those: readonly Move[]): Record<string, string> {
  return Object.fromEntries(
    those.flatMap(({ id, publishedAt }) => (publishedAt === undefined ? [] : [[id, publishedAt]])),
  )
}

/** The moves that a change recorded, and when its scheduled items were to appear. */
async function listMade(tx: Transaction, changeId: string): Promise<(Move & { isMovedSince: boolean })[]> {
  if (!isId(changeId)) return []
  const moves = await listMoves(tx, changeId, 'items')
  const [entry] = await tx.execute<{ times: Record<string, string> | null }>(
    sql`select before->'times' as times from audit_log where id = ${changeId}`,
  )
  return moves.flatMap((move) => {
    const [before, after] = [move.before, move.after].map((word) => statuses.find((each) => each === word))
    const publishedAt = entry?.times?.[move.id]
    return before && after ? [{ ...move, before, after, ...(publishedAt && { publishedAt }) }] : []
  })
}

async function lockMany(
  tx: Transaction,
  ids: readonly string[],
): Promise<Map<string, Pick<Row, 'status' | 'hasTwin'>>> {
  const rows = await tx
    .select({ id: stories.id, status: stories.status, hasTwin: sql<boolean>`exists (${twinOf})` })
    .from(stories)
    .where(inArray(stories.id, [...ids]))
    .orderBy(stories.id)
    .for('no key update')
  return new Map(rows.map((row) => [row.id, row]))
}

import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { auditLog } from '#db/schema'
import { AppError } from '#src/app-error'
import { undoMany } from '#src/library/change-many'
import { plannedShown } from '#src/library/change-many-rules'
import { listMoves, type Move, recordMoves } from '#src/operator/moves'
import { isId } from '#src/shape/id'
import { invalidField } from '#src/shape/invalid-field'
import { manyComments } from './comments'
import { manyJobs } from './jobs'
import type { Kind, Row, VerbServices } from './kind'
import { manyMembers } from './members'
import { manyReports } from './reports'
import { findChange, type SelectionKind, selectedAtOnceMax, selectionKinds } from './rules'
import type { ManyRows, RowsOutcome } from './schema'

const kinds: Record<SelectionKind, Kind> = {
  reports: manyReports,
  members: manyMembers,
  comments: manyComments,
  jobs: manyJobs,
}

type PlannedMove = Move & Pick<Row, 'recordedAs'>

/** Plans a change of many rows without making it. Throws `invalid`. */
export async function planRows(db: Executor, wanted: ManyRows): Promise<RowsOutcome> {
  const { moves, same } = await planMoves(db, wanted)
  return outcomeOf(moves, same, null)
}

/**
 * Changes many rows, each with the function of its own button and in a transaction of its own. One audit entry names
 * them all, so that they can be undone. A row that was changed meanwhile is skipped. Throws `invalid`.
 */
export async function changeRows(services: VerbServices, wanted: ManyRows, by: string): Promise<RowsOutcome> {
  const { change, reason = '' } = wanted
  const kind = kinds[wanted.kind]
  const { moves, same } = await planMoves(services.db, wanted)
  const { done, failure } = await doEach(moves, ({ id }) => kind.change(services, id, { change, reason, by }))
  const recorded = kind.recorded[change]
  // If one fails, the rows before it are changed and can be undone too.
  const changeId =
    done.length > 0 && recorded
      ? await recordMoves(services.db, by, recorded, { moves: done.map(asRecorded) })
      : null
  if (failure) throw failure.error
  return outcomeOf(done, same + moves.length - done.length, changeId)
}

/**
 * Undoes a bulk change of the library or another list: rows that are still in the state it gave them return to their
 * earlier one. Rows that changed since stay. Throws `not_found` for an unknown change, and `conflict` if nothing is
 * left to undo.
 */
export async function undoChange(services: VerbServices, changeId: string, by: string): Promise<RowsOutcome> {
  const { db } = services
  const subject = await findSubject(db, changeId)
  if (subject === 'items') return undoMany(db, changeId, by)
  const name = selectionKinds.find((each) => each === subject)
  const made = name ? await listMoves(db, changeId, name) : []
  if (!name || made.length === 0) throw new AppError('not_found', 'There is no such change of many.')
  const kind = kinds[name]
  const ids = made.map(({ id }) => id)
  const present = new Map((await kind.list(db, { ids }, ids.length)).map(({ id, state }) => [id, state]))
  const isStill = kind.isStill ?? ((after, now) => after === now)
  const standing = made.filter(
    ({ id, after, isMovedSince }) => !isMovedSince && isStill(after, present.get(id) ?? ''),
  )
  const { done, failure } = await doEach(standing, (move) => kind.undo(services, move, by))
  const back = done.map(({ id, title, before, after }) => ({ id, title, before: after, after: before }))
  // After a failure the entry does not refer to the change, so the rest can still be undone.
  const undoneId = failure ? null : changeId
  if (back.length > 0) await recordMoves(db, by, kind.undone, { moves: back, undoneId })
  if (failure) throw failure.error
  if (back.length === 0) throw new AppError('conflict', 'Nothing is left to undo.')
  return outcomeOf(back, made.length - back.length, null)
}

async function planMoves(db: Executor, { kind, change: name, ids, filter }: ManyRows) {
  const change = findChange(kind, name)
  if (!change) throw invalidField('change', `Expected a change that ${kind} have`)
  if ((ids === undefined) === (filter === undefined)) throw invalidField('ids', 'Expected ids or a filter')
  const rows = await kinds[kind].list(db, ids ? { ids } : { filter: filter ?? {} }, selectedAtOnceMax + 1)
  if (rows.length > selectedAtOnceMax)
    throw invalidField('filter', `Expected at most ${selectedAtOnceMax} rows. Narrow the filter`)
  const moves: PlannedMove[] = rows
    .filter(({ state }) => change.from.includes(state))
    .map(({ state, ...row }) => ({ ...row, before: state, after: change.to }))
  return { moves, same: rows.length - moves.length }
}

/** Runs `work` on each in turn, skipping those that were changed or deleted meanwhile. Stops at a failure. */
async function doEach<T>(all: readonly T[], work: (each: T) => Promise<unknown>) {
  const done: T[] = []
  for (const each of all) {
    try {
      await work(each)
      done.push(each)
    } catch (error) {
      if (error instanceof AppError && passedOver.includes(error.code)) continue
      return { done, failure: { error } }
    }
  }
  return { done, failure: null }
}

/** Codes that skip a row: it changed meanwhile, its title is in the library again, or it is gone. */
const passedOver: readonly string[] = ['conflict', 'already_exists', 'not_found']

async function findSubject(db: Executor, changeId: string): Promise<string | null> {
  if (!isId(changeId)) return null
  const [entry] = await db
    .select({ subject: auditLog.subjectType })
    .from(auditLog)
    .where(eq(auditLog.id, changeId))
  return entry?.subject ?? null
}

function asRecorded({ recordedAs, title, ...move }: PlannedMove): Move {
  return { ...move, title: recordedAs ?? title }
}

function outcomeOf(moves: readonly PlannedMove[], same: number, changeId: string | null): RowsOutcome {
  const items = moves
    .slice(0, plannedShown)
    .map(({ id, title, before, after }) => ({ id, title, before, after }))
  return { changed: moves.length, same, items, changeId }
}

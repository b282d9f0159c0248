import { inArray, sql } from 'drizzle-orm'
import { nextUpdatedAt } from '#db/columns'
import type { Database, Transaction } from '#db/db'
import { stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { listMoves, recordMoves } from '#src/operator/moves'
import { holdForbidden } from '#src/review/hold-forbidden'
import { isId } from '#src/shape/id'
import { libraryChanged } from '#src/story/library-changed'
import { statuses } from '#src/story/rules'
import { plannedShown } from './change-many-rules'
import type { ManyOutcome } from './change-many-schema'
import {
  type ManyItems,
  type Move,
  movesOf,
  outcomeOf,
  queryMany,
  type Row,
  requireWithinLimit,
} from './plan-many'
import { lockTitles, twinOf } from './remove'

/** Publishes, unpublishes, removes or restores many items in one transaction, with one audit entry. Throws `invalid`. */
export async function changeMany(db: Database, wanted: ManyItems, by: string): Promise<ManyOutcome> {
  const outcome = await db.transaction(async (tx) => {
    if (wanted.change === 'restore') await lockTitles(tx)
    const rows = requireWithinLimit(await queryMany(tx, wanted).for('no key update'))
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
 * Undoes a change of many items: those that still have the status it gave them return to their earlier one. Items that
 * changed since stay as they are, as do removed ones whose title is in the library again. Throws `not_found` for an
 * unknown change, and `conflict` if nothing is left to undo.
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
    if (back.length === 0) throw new AppError('conflict', 'Nothing is left to undo.')
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

/**
 * Writes the statuses, and one audit entry that names every item. Returns the entry's id and the moves made: a restored
 * item that the guidelines now forbid is held instead.
 */
async function move(
  tx: Transaction,
  going: readonly Move[],
  { by, action, undoneId }: { by: string; action: ManyItems['change'] | 'undo'; undoneId?: string },
): Promise<{ changeId: string | null; made: readonly Move[] }> {
  if (going.length === 0) return { changeId: null, made: [] }
  for (const [after, those] of Map.groupBy(going, (each) => each.after)) {
    const ids = `{${those.map(({ id }) => id).join(',')}}`
    // An item published by hand appears now; one that is scheduled again, at its time. A removed one records its
    // earlier status.
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

/** The publication times of scheduled items, by id. */
function timesOf(those: readonly Move[]): Record<string, string> {
  return Object.fromEntries(
    those.flatMap(({ id, publishedAt }) => (publishedAt === undefined ? [] : [[id, publishedAt]])),
  )
}

/** The moves that a change recorded, with the publication times of its scheduled items. */
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

import { sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Database, Executor } from '#db/db'
import { imports } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { libraryChanged } from '#src/story/library-changed'
import { attachAll } from './attach-all'
import { findExisting } from './find-existing'
import { type CheckedAudio, type DecodedRow, type Plan, type PlannedRow, planImport } from './plan'
import { problemsListedMax } from './rules'
import { createItems, updateItems } from './write-items'

export type ImportRequest = {
  /** `paste`, `csv`, `xlsx`, `json`, `bulk`…: what the list of imports shows. */
  kind: string
  fileName: string | null
  rows: readonly DecodedRow[]
  /** Checked, and already in their place: a row may name them. */
  audio: readonly CheckedAudio[]
  /** All or nothing: one problem refuses the import. */
  strict: boolean
  /** Which new items without audio are to be narrated. */
  narrate: 'none' | 'as-stated' | 'all'
}

export type ImportResult = {
  batchId: string | null
  plan: Plan
  /** By row: the item that the row made, changed or found. */
  items: { row: number; id: string; title: string; verdict: PlannedRow['verdict'] }[]
  imported: number
  updated: number
  skipped: number
  matchedAudio: number
  warnings: string[]
}

export type ImportHooks = {
  /** How many of its steps are done: one a row, ten an audio file. */
  onProgress?: (done: number, total: number) => void
  /** The last word of the transaction: what it writes is there with the import, or not at all. */
  settle?: (tx: Executor, result: ImportResult) => Promise<void>
}

/** The plan of an import, with nothing changed. */
export async function planOnly(db: Executor, request: Pick<ImportRequest, 'rows' | 'audio'>): Promise<Plan> {
  return planImport(request.rows, await findExisting(db, titlesOf(request.rows)), request.audio)
}

/**
 * Does what the plan says, in one transaction: items, narrations, the batch with what was there before, and
 * the audit. Imports take turns, so that the same file sent twice at once adds nothing twice. Where nothing
 * changes there is no batch. Throws `invalid` where `strict` meets a problem.
 */
export async function applyImport(
  db: Database,
  request: ImportRequest,
  by: string,
  { onProgress = () => {}, settle = async () => {} }: ImportHooks = {},
): Promise<ImportResult> {
  const result = await db.transaction(async (tx) => {
    const written = await writeImport(tx, request, by, onProgress)
    await settle(tx, written)
    return written
  })
  await libraryChanged(db)
  return result
}

/** Attaching audio takes as long as making so many items (measured with 1,000 rows and 200 MP3s). */
const audioSteps = 10

async function writeImport(
  tx: Executor,
  request: ImportRequest,
  by: string,
  onProgress: (done: number, total: number) => void,
): Promise<ImportResult> {
  await tx.execute(sql`select pg_advisory_xact_lock(5400302)`)
  const existing = await findExisting(tx, titlesOf(request.rows))
  const plan = planImport(request.rows, existing, request.audio)
  if (request.strict) refuseProblems(plan)
  const { create, update, same, problem, empty } = plan.counts
  const base = {
    plan,
    imported: create,
    updated: update,
    skipped: same + problem + empty,
    matchedAudio: plan.counts.matchedAudio,
    warnings: warningsOf(plan),
  }
  if (create + update === 0) return { ...base, batchId: null, items: itemsOf(plan, new Map()) }
  const batchId = newId()
  await tx.insert(imports).values({
    id: batchId,
    kind: request.kind,
    fileName: request.fileName,
    by,
    imported: create,
    updated: update,
    skipped: base.skipped,
    matchedAudio: base.matchedAudio,
    report: { problems: plan.problems.slice(0, problemsListedMax), unmatchedAudio: plan.unmatchedAudio },
  })
  const steps = plan.rows.length + base.matchedAudio * audioSteps
  const ids = await createItems(tx, plan, batchId, (made) => onProgress(made, steps))
  await updateItems(tx, plan, existing, batchId)
  await attachAll(tx, request, plan, ids, batchId, (attached) =>
    onProgress(plan.rows.length + attached * audioSteps, steps),
  )
  await recordChange(tx, by, {
    action: 'import',
    subjectType: 'import',
    subjectId: batchId,
    after: { kind: request.kind, imported: create, updated: update },
  })
  return { ...base, batchId, items: itemsOf(plan, ids) }
}

function titlesOf(rows: readonly DecodedRow[]): string[] {
  return rows.filter((row) => !row.isEmpty).map((row) => row.item.title)
}

function refuseProblems(plan: Plan): void {
  const [first] = plan.problems
  if (!first) return
  throw new Refusal('invalid', `Row ${first.row}: ${first.message}`, {
    fields: plan.problems
      .slice(0, 50)
      .map(({ row, field, message }) => ({ path: `rows[${row}].${field}`, message })),
  })
}

function itemsOf(plan: Plan, ids: ReadonlyMap<number, string>): ImportResult['items'] {
  return plan.rows.flatMap(({ row, title, verdict, existingId }) => {
    const id = existingId ?? ids.get(row)
    return id ? [{ row, id, title, verdict }] : []
  })
}

/** What the guidelines found and let pass, by row. */
export function warningsOf(plan: Plan): string[] {
  return plan.rows.flatMap(({ row, admitted }) =>
    admitted.warnings.map((warning) => `Row ${row}: ${warning}`),
  )
}

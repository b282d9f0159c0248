import { eq, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Database, Executor } from '#db/db'
import { importChanges, imports, stories } from '#db/schema'
import { recordDecisions } from '#src/guideline/record'
import { attachAudio } from '#src/narration/attach'
import { enqueueNarration } from '#src/narration/enqueue'
import type { HeardWord } from '#src/narration/read-heard-words'
import { alignTimings, findNarration } from '#src/narration/upload-timings'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { derivedColumns } from '#src/story/derived-columns'
import { libraryChanged } from '#src/story/library-changed'
import { type Draft, publishAll } from '#src/story/publish'
import { holdFrom, type Voice } from '#src/story/rules'
import { findExisting } from './find-existing'
import {
  type CheckedAudio,
  type DecodedRow,
  type ExistingItem,
  itemKey,
  type Plan,
  type PlannedRow,
  planImport,
} from './plan'
import { problemsListedMax } from './rules'

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
  status?: 'published' | 'draft'
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
/** Items made at once: often enough for a bar that moves. */
const itemsAtOnce = 100

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
  const ids = await createItems(tx, request, plan, batchId, (made) => onProgress(made, steps))
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

/** By row number, the ids of the items that were made. */
async function createItems(
  tx: Executor,
  request: ImportRequest,
  plan: Plan,
  batchId: string,
  onMade: (items: number) => void,
): Promise<Map<number, string>> {
  const rows = plan.rows.filter((row) => row.verdict === 'create')
  const ids = new Map<number, string>()
  for (let from = 0; from < rows.length; from += itemsAtOnce) {
    const some = rows.slice(from, from + itemsAtOnce)
    const made = await publishAll(
      tx,
      some.map(({ item, admitted }) => ({
        draft: toDraft(item, request, batchId),
        text: { ...item, ...admitted },
      })),
    )
    for (const [at, row] of some.entries()) ids.set(row.row, made[at]?.id ?? '')
    onMade(ids.size)
  }
  await recordRows(
    tx,
    batchId,
    rows.map((row) => ({ row: row.row, storyId: ids.get(row.row) ?? '', action: 'created', before: null })),
  )
  return ids
}

function toDraft(item: PlannedRow['item'], request: ImportRequest, batchId: string): Draft {
  const { narrator, voice, duration, linkedAudio, stated, generateAudio, ...fields } = item
  return {
    ...fields,
    voice,
    duration: duration ?? undefined,
    narratorFemale: voice === 'female' ? narrator : null,
    narratorMale: voice === 'male' ? narrator : null,
    status: request.status,
    importId: batchId,
  }
}

async function updateItems(
  tx: Executor,
  plan: Plan,
  existing: ReadonlyMap<string, ExistingItem>,
  batchId: string,
): Promise<void> {
  const rows = plan.rows.filter((row) => row.verdict === 'update')
  for (const { changes, existingId, admitted, type, title } of rows) {
    if (existingId === null || changes.length === 0) continue
    const values = Object.fromEntries(changes.map(({ field, after }) => [field, after]))
    const status = existing.get(itemKey(type, title))?.status ?? 'published'
    await tx
      .update(stories)
      .set({ ...values, ...derivedColumns(values), ...(admitted.isHeld && holdFrom(status)) })
      .where(eq(stories.id, existingId))
    await recordDecisions(
      tx,
      admitted.decisions.map((decision) => ({ ...decision, storyId: existingId })),
    )
  }
  await recordRows(
    tx,
    batchId,
    rows.map((row) => ({
      row: row.row,
      storyId: row.existingId ?? '',
      action: 'updated',
      before: existing.get(itemKey(row.type, row.title)) ?? null,
    })),
  )
}

async function attachAll(
  tx: Executor,
  request: ImportRequest,
  plan: Plan,
  ids: ReadonlyMap<number, string>,
  batchId: string,
  onAttached: (done: number) => void,
): Promise<void> {
  let attached = 0
  for (const row of plan.rows) {
    const storyId = row.existingId ?? ids.get(row.row)
    if (!storyId || (row.verdict !== 'create' && row.verdict !== 'update')) continue
    for (const { voice, file, isNew } of row.audio) {
      if (isNew)
        await attachAudio(tx, {
          storyId,
          voice,
          file,
          provider: 'upload',
          narrator: row.item.narrator,
          fileName: file.fileName,
          importId: batchId,
        })
      const problem = isNew && file.heard ? await alignHeard(tx, storyId, voice, file.heard) : null
      if (problem) row.admitted.warnings.push(`${file.fileName}: ${problem}`)
      attached += 1
      onAttached(attached)
    }
    const isAsked = request.narrate === 'all' || (request.narrate === 'as-stated' && row.item.generateAudio)
    if (row.verdict === 'create' && row.audio.length === 0 && isAsked)
      await enqueueNarration(tx, storyId, row.item.voice)
  }
}

/** The narration stays without timings where they are not its own; answers why. */
async function alignHeard(
  tx: Executor,
  storyId: string,
  voice: Voice,
  heard: readonly HeardWord[],
): Promise<string | null> {
  try {
    await alignTimings(tx, await findNarration(tx, storyId, voice), heard)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

type Change = { row: number; storyId: string; action: 'created' | 'updated'; before: unknown }

async function recordRows(tx: Executor, batchId: string, changes: readonly Change[]): Promise<void> {
  for (let from = 0; from < changes.length; from += 5_000) {
    await tx
      .insert(importChanges)
      .values(changes.slice(from, from + 5_000).map((change) => ({ ...change, importId: batchId })))
  }
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

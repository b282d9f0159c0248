import { and, asc, desc, eq, gt, inArray, ne, or, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { importDraftFiles, importDraftRows, importDrafts, imports, jobs } from '#db/schema'
import { AppError } from '#src/app-error'
import { chooseRows } from '#src/import/rows/choose-rows'
import { columnName, draftRetentionDays, fields } from '#src/import/rules'
import { isPaused } from '#src/job/paused'
import { isId } from '#src/shape/id'
import { shorten } from '#src/text/shorten'
import type { DraftFile, ImportDraft, ImportOutcome } from './schema'
import { foundOf, rawRowColumns, viewSheet } from './view-sheet'

const previewRows = 3
const previewCharactersMax = 100
/** Hours for which a result is shown. After that the screen begins a new import. */
const resultHours = 2

/**
 * Finds a draft of this operator, as the console and scripts see it. Throws `not_found`, also for another operator's.
 */
export async function findDraft(db: Executor, id: string, owner: string): Promise<ImportDraft> {
  const [draft] = isId(id)
    ? await draftsWhere(db, sql`${importDrafts.id} = ${id} and ${importDrafts.owner} = ${owner}`)
    : []
  if (!draft) throw missing()
  const { problem, notes, sheets } = viewSheet(foundOf(draft), draft.choices)
  const { state, outcome, jobId, jobState, isPaused, progress, error, isUndone } = draft
  return {
    ...summaryOf(draft),
    state: stateOf(draft),
    preview: problem === null ? await previewOf(db, draft, sheets) : [],
    sheets,
    notes,
    sheetProblem: draft.fileName === null ? null : problem,
    choices: draft.choices,
    files: await listFiles(db, id),
    job: jobId && jobState ? { id: jobId, state: jobState, isPaused, progress: progress ?? 0, error } : null,
    outcome: state === 'applied' ? { ...(outcome as ImportOutcome), isUndone: isUndone ?? false } : null,
  }
}

/** Lists the drafts of one operator, or of all, most recently changed first. */
export async function listDrafts(db: Executor, owner?: string) {
  const drafts = await draftsWhere(
    db,
    owner === undefined ? sql`true` : sql`${importDrafts.owner} = ${owner}`,
  )
  return drafts.map((draft) => ({ ...summaryOf(draft), owner: draft.owner }))
}

/** Finds the operator's latest draft: an open one, or a recent result. */
export async function findCurrentDraft(db: Executor, owner: string): Promise<ImportDraft | null> {
  const [current] = await draftsWhere(
    db,
    sql`${importDrafts.owner} = ${owner} and (${importDrafts.state} = 'open' or ${importDrafts.updatedAt} > now() - make_interval(hours => ${resultHours}))`,
  )
  return current ? findDraft(db, current.id, owner) : null
}

type Row = Awaited<ReturnType<typeof draftsWhere>>[number]

function draftsWhere(db: Executor, where: ReturnType<typeof sql>) {
  return db
    .select({
      id: importDrafts.id,
      owner: importDrafts.owner,
      state: importDrafts.state,
      fileName: importDrafts.fileName,
      rowCount: importDrafts.rowCount,
      found: importDrafts.found,
      choices: importDrafts.choices,
      outcome: importDrafts.outcome,
      createdAt: importDrafts.createdAt,
      updatedAt: importDrafts.updatedAt,
      jobId: importDrafts.jobId,
      jobState: jobs.state,
      isPaused: sql<boolean>`coalesce(jobs.state = 'queued' and ${isPaused()}, false)`,
      progress: jobs.progress,
      error: jobs.error,
      isUndone: sql<boolean | null>`${imports.state} = 'undone'`,
    })
    .from(importDrafts)
    .leftJoin(jobs, eq(jobs.id, importDrafts.jobId))
    .leftJoin(imports, eq(imports.id, importDrafts.importId))
    .where(and(where, ne(importDrafts.state, 'discarded'), isRetained))
    .orderBy(desc(importDrafts.updatedAt), desc(importDrafts.id))
    .limit(100)
}

/** A draft that is being applied is retained until its job has ended. */
const isRetained = or(
  gt(importDrafts.updatedAt, sql`now() - make_interval(days => ${draftRetentionDays})`),
  sql`${jobs.state} in ('queued', 'running')`,
)

function summaryOf(draft: Row) {
  const { id, fileName, rowCount, createdAt, updatedAt } = draft
  const expiresAt = new Date(updatedAt.getTime() + draftRetentionDays * 86_400_000)
  return {
    id,
    state: stateOf(draft),
    fileName,
    rowCount,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}

function stateOf({ state, jobState }: Row): ImportDraft['state'] {
  if (state === 'applied') return 'applied'
  return jobState === 'queued' || jobState === 'running' ? 'running' : 'open'
}

/** The first rows of the chosen sheets. */
async function previewOf(db: Executor, { id, found, choices }: Row, sheets: ImportDraft['sheets']) {
  const chosen = sheets.flatMap(({ isChosen }, at) => (isChosen ? [at] : []))
  if (chosen.length === 0) return []
  const rows = await db
    .select(rawRowColumns)
    .from(importDraftRows)
    .where(and(eq(importDraftRows.draftId, id), inArray(importDraftRows.sheet, chosen)))
    .orderBy(asc(importDraftRows.row))
    .limit(previewRows)
  const read = chooseRows({ ...foundOf({ found, rowCount: 0 }), rows }, choices)
  return read.rows.map(({ row, cells }) => ({ row, cells: readable(cells) }))
}

async function listFiles(db: Executor, draftId: string): Promise<DraftFile[]> {
  return db
    .select(shownFile)
    .from(importDraftFiles)
    .where(eq(importDraftFiles.draftId, draftId))
    .orderBy(asc(importDraftFiles.fileName))
}

export const shownFile = {
  id: importDraftFiles.id,
  fileName: importDraftFiles.fileName,
  state: importDraftFiles.state,
  sizeBytes: importDraftFiles.sizeBytes,
  durationSeconds: importDraftFiles.durationSeconds,
  problem: importDraftFiles.problem,
  warnings: importDraftFiles.warnings,
}

/** Cells under the sheet's own column names, truncated for display. */
function readable(cells: ImportDraft['preview'][number]['cells'] | object): Record<string, string> {
  const named = new Map(Object.entries(cells))
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = named.get(field)
      if (value === undefined || value === null || value === '') return []
      const text = Array.isArray(value) ? value.join(', ') : String(value)
      return [
        [
          columnName(field),
          text.length > previewCharactersMax ? `${shorten(text, previewCharactersMax)}…` : text,
        ],
      ]
    }),
  )
}

export function missing(): AppError {
  return new AppError(
    'not_found',
    'This import no longer exists, or belongs to someone else. Start a new one.',
  )
}

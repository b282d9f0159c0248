import * as t from 'typebox'
import { PlanRow } from '#src/import/plan-schema'
import { SheetChoices, SheetView } from '#src/import/rows/sheet-schema'
import { audioFilesMax } from '#src/import/rules'
import { jobStates } from '#src/job/rules'
import { oneOf } from '#src/shape/one-of'
import { orNull } from '#src/shape/or-null'

/** Schemas of import drafts for API and console. Browser-safe. */

const instant = t.String({ examples: ['2026-11-20T20:15:00.000Z'] })
const fileName = t.String({ minLength: 1, maxLength: 255, examples: ['the-night-ferry_female.mp3'] })
const hash = t.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of its content: what the server has by it is not sent again.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})

export const AnnouncedFile = t.Object({
  fileName,
  sizeBytes: t.Integer({ minimum: 0, maximum: 2 ** 50, examples: [5_242_880] }),
  hash: t.Optional(hash),
})
export type AnnouncedFile = t.Static<typeof AnnouncedFile>
export const Announced = t.Object({ files: t.Array(AnnouncedFile, { maxItems: audioFilesMax }) })

export const DraftFile = t.Object({
  id: t.String(),
  fileName: t.String({ examples: ['the-night-ferry_female.mp3'] }),
  state: oneOf(['waiting', 'here', 'refused'], { description: '`waiting` until it is sent.' }),
  sizeBytes: t.Integer({ examples: [5_242_880] }),
  durationSeconds: orNull(t.Number({ examples: [764.2] })),
  problem: orNull(t.String({ examples: [null] })),
  warnings: t.Array(t.String(), {
    description: 'What is unusual about playable audio, and how to fix it.',
    examples: [[]],
  }),
})
export type DraftFile = t.Static<typeof DraftFile>

const draftStates = ['open', 'running', 'applied'] as const

export const ImportOutcome = t.Object({
  batchId: orNull(t.String({ description: 'What to undo; null where nothing changed.' })),
  isUndone: t.Boolean({ examples: [false] }),
  created: t.Integer(),
  changed: t.Integer(),
  same: t.Integer(),
  failed: t.Integer(),
  empty: t.Integer(),
  matchedAudio: t.Integer(),
  unmatchedAudio: t.Array(t.String({ examples: ['moonrise-alt.mp3'] })),
  warnings: t.Array(t.String()),
})
export type ImportOutcome = t.Static<typeof ImportOutcome>

export const ImportDraft = t.Object({
  id: t.String(),
  state: oneOf(draftStates),
  fileName: orNull(t.String({ examples: ['november-premium.xlsx'] })),
  rowCount: t.Integer(),
  preview: t.Array(
    t.Object({ row: t.Integer(), cells: t.Record(t.String(), t.String()) }, { examples: [previewExample()] }),
    { description: 'The first three rows, by column.' },
  ),
  ...SheetView.properties,
  sheetProblem: orNull(
    t.String({
      description: 'Why nothing of the file can be imported before columns are chosen.',
      examples: [null],
    }),
  ),
  choices: SheetChoices,
  files: t.Array(DraftFile),
  job: orNull(
    t.Object({
      id: t.String(),
      state: oneOf(jobStates),
      isPaused: t.Boolean({
        description: 'It waits while operators have paused the queue.',
        examples: [false],
      }),
      progress: t.Number({ minimum: 0, maximum: 1 }),
      error: orNull(t.String()),
    }),
  ),
  outcome: orNull(ImportOutcome),
  createdAt: instant,
  updatedAt: instant,
  expiresAt: instant,
})
export type ImportDraft = t.Static<typeof ImportDraft>

export const DraftSummary = t.Object({
  id: t.String(),
  owner: t.String({ examples: ['Ada'] }),
  state: oneOf(draftStates),
  fileName: orNull(t.String({ examples: ['november-premium.xlsx'] })),
  rowCount: t.Integer(),
  createdAt: instant,
  updatedAt: instant,
  expiresAt: instant,
})

export const DraftPlanRow = t.Object({
  ...PlanRow.properties,
  voice: t.String({ examples: ['female'] }),
  minutes: orNull(t.Integer({ examples: [13] })),
  audio: t.Array(t.Object({ voice: t.String(), fileName: t.String(), isNew: t.Boolean() })),
  problems: t.Array(t.Object({ field: t.String(), column: t.Optional(t.String()), message: t.String() })),
  warnings: t.Array(t.String()),
})
export type DraftPlanRow = t.Static<typeof DraftPlanRow>

export const DraftPlan = t.Object({
  rows: t.Array(DraftPlanRow),
  counts: t.Object({
    new: t.Integer(),
    change: t.Integer(),
    same: t.Integer(),
    held: t.Integer(),
    problem: t.Integer(),
    empty: t.Integer(),
  }),
  matchedAudio: t.Integer(),
  unmatchedAudio: t.Array(t.String(), { description: 'Audio files that no row is named like.' }),
  fileProblems: t.Array(t.String(), { description: 'What is wrong with files beside the sheet.' }),
})
export type DraftPlan = t.Static<typeof DraftPlan>

export const ApplyOptions = t.Object({
  strict: t.Optional(t.Boolean({ description: 'All or nothing: one problem refuses the import.' })),
  narrate: t.Optional(t.Boolean({ description: 'Narrate new items that come without audio.' })),
})
export type ApplyOptions = t.Static<typeof ApplyOptions>

function previewExample() {
  return { row: 1, cells: { Name: 'The Night Ferry', Voice: 'female', Categories: 'romantic' } }
}

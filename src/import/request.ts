import type { Executor } from '#db/db'
import type { Voice } from '#src/story/rules'
import type { CheckedAudio, DecodedRow, Plan, PlannedRow } from './plan'

/** A narration that an import requests, to be made by a job. */
export type QueuedNarration = { voice: Voice; jobId: string }

export type ImportRequest = {
  /** `paste`, `csv`, `xlsx`, `json`, `bulk`…: what the list of imports shows. */
  kind: string
  fileName: string | null
  rows: readonly DecodedRow[]
  /** Checked and stored: a row may name them. */
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
  /** The number of completed steps: one a row, ten an audio file. */
  onProgress?: (done: number, total: number) => void
  /** Runs at the end of the transaction: its writes are committed with the import, or not at all. */
  finish?: (tx: Executor, result: ImportResult) => Promise<void>
}

import type { Executor } from '#db/db'
import type { Voice } from '#src/story/rules'
import type { CheckedAudio, DecodedRow, Plan, PlannedRow } from './plan'

/** A narration that an import requests, to be made by a job. */
export type QueuedNarration = { voice: Voice; jobId: string }

export type ImportRequest = {
  /** `paste`, `csv`, `xlsx`, `json`, `bulk`…: shown in the list of imports. */
  kind: string
  fileName: string | null
  rows: readonly DecodedRow[]
  /** Checked and stored files, which rows may name. */
  audio: readonly CheckedAudio[]
  /** All or nothing: a single problem refuses the whole import. */
  strict: boolean
  /** The new items without audio that are narrated. */
  narrate: 'none' | 'as-stated' | 'all'
}

export type ImportResult = {
  batchId: string | null
  plan: Plan
  /** For each row, the item that it created, changed or found. */
  items: { row: number; id: string; title: string; verdict: PlannedRow['verdict'] }[]
  imported: number
  updated: number
  skipped: number
  matchedAudio: number
  warnings: string[]
}

export type ImportHooks = {
  /** Receives the number of completed steps: one per row, ten per audio file. */
  onProgress?: (done: number, total: number) => void
  /** Runs at the end of the transaction: its writes are committed with the import, or not at all. */
  finish?: (tx: Executor, result: ImportResult) => Promise<void>
}

import type { Executor } from '#db/db'
import type { AuditedAction } from '#src/audit/rules'
import type { Move } from '#src/operator/moves'
import type { Services } from '#src/services'
import type { SelectionChange } from './rules'
import type { SelectionFilter } from './schema'

/** What the verbs of all kinds need. */
export type VerbServices = Pick<Services, 'db' | 'env' | 'secrets'>

/** One row of a list: what it is called, and where it stands. */
export type Row = {
  id: string
  title: string
  state: string
  /** What the audit log calls it, where the title is not to be stored for longer than its row. */
  recordedAs?: string
}

/** Rows by hand, or all that match. */
export type Wanted = { ids: readonly string[] } | { filter: SelectionFilter }

type Act = { change: SelectionChange; reason: string; by: string }

/** What the engine needs to know of a kind of rows: each is changed by the verb of its own button. */
export type Kind = {
  /** Rows in a steady order, at most `limit`; ids of none are passed over. Throws `invalid` for a filter. */
  list: (db: Executor, wanted: Wanted, limit: number) => Promise<Row[]>
  change: (services: VerbServices, id: string, act: Act) => Promise<unknown>
  /** Takes one move back. */
  undo: (services: VerbServices, move: Move, by: string) => Promise<unknown>
  /** Whether a row that went to a state still stands where the change put it. */
  isStill?: (after: string, present: string) => boolean
  recorded: Partial<Record<SelectionChange, AuditedAction>>
  undone: AuditedAction
}

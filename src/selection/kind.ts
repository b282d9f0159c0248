import type { Executor } from '#db/db'
import type { AuditedAction } from '#src/audit/rules'
import type { Move } from '#src/operator/moves'
import type { Services } from '#src/services'
import type { SelectionChange } from './rules'
import type { SelectionFilter } from './schema'

/** The services that the functions of all kinds need. */
export type VerbServices = Pick<Services, 'db' | 'env' | 'secrets'>

/** A row of a list, with its name and its state. */
export type Row = {
  id: string
  title: string
  state: string
  /** The name in the audit log, if the title must not be stored for longer than its row. */
  recordedAs?: string
}

/** Selected rows by their ids, or all that match a filter. */
export type Wanted = { ids: readonly string[] } | { filter: SelectionFilter }

type Act = { change: SelectionChange; reason: string; by: string }

/** A kind of rows for bulk changes. Each row is changed by the function of its own button. */
export type Kind = {
  /** Lists rows in a stable order, at most `limit`; unknown ids are skipped. Throws `invalid` for a filter. */
  list: (db: Executor, wanted: Wanted, limit: number) => Promise<Row[]>
  change: (services: VerbServices, id: string, act: Act) => Promise<unknown>
  /** Undoes one move. */
  undo: (services: VerbServices, move: Move, by: string) => Promise<unknown>
  /** Whether a row in the state `present` still counts as being in the state that the change gave it. */
  isStill?: (after: string, present: string) => boolean
  recorded: Partial<Record<SelectionChange, AuditedAction>>
  undone: AuditedAction
}

import { eq } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { AppError } from '#src/app-error'
import { isId } from '#src/shape/id'
import type { Transaction } from './db'

/**
 * The versions that the writer of a change has seen. Any of them may be overwritten; if `seen` is absent, every version
 * may.
 */
export type Seen = { seen?: readonly string[] }

type Versioned = PgTable & { id: PgColumn; updatedAt: PgColumn }

/**
 * Locks a row until the transaction ends, and throws `changed_since` if its version is not one that the writer has
 * seen. Of two writers who have seen the same version, one wins. Does nothing without `seen`.
 */
export async function requireUnchanged(
  tx: Transaction,
  table: Versioned,
  id: string,
  { seen }: Seen,
): Promise<void> {
  if (!seen || !isId(id)) return
  const [row] = await tx
    .select({ updatedAt: table.updatedAt })
    .from(table)
    .where(eq(table.id, id))
    .for('update')
  if (row?.updatedAt instanceof Date && !seen.includes(row.updatedAt.toISOString())) throw changedSince()
}

export function changedSince(): AppError {
  return new AppError(
    'changed_since',
    'This was changed since you last read it. Read it again, then make your change to that.',
  )
}

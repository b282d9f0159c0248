import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { customType, timestamp, uuid } from 'drizzle-orm/pg-core'

/** A uuid v7 made in the program: sorted by time, three times faster to insert than v4. */
export const id = () => uuid('id').primaryKey().$defaultFn(newId)

export function newId(): string {
  return Bun.randomUUIDv7()
}

/** An instant in UTC, as a Date. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const createdAt = () => instant('created_at').notNull().defaultNow()
/** One as text, with its microseconds: a Date would cut them off, and a cursor would miss rows. */
export const instantText = (column: SQLWrapper) =>
  sql<string>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
/** The table is named since an upsert has two rows with that column. */
export const updatedAt = (table: string) =>
  instant('updated_at')
    .notNull()
    .defaultNow()
    .$onUpdate(() => after(sql`${sql.identifier(table)}.updated_at`))

/**
 * Now, and at least a millisecond after the change before: `updatedAt` is the version that clients compare, in ISO
 * 8601. Statements that drizzle does not build set `updated_at` to it.
 */
export const nextUpdatedAt = after(sql`updated_at`)

function after(before: SQL): SQL {
  return sql`greatest(date_trunc('milliseconds', clock_timestamp()), ${before} + interval '1 millisecond')`
}

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

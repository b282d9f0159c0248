import { sql } from 'drizzle-orm'
import { customType, timestamp, uuid } from 'drizzle-orm/pg-core'

/** A uuid v7 made in the program: sorted by time, three times faster to insert than v4. */
export const id = () => uuid('id').primaryKey().$defaultFn(newId)

export function newId(): string {
  return Bun.randomUUIDv7()
}

/** An instant in UTC, as a Date. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const createdAt = () => instant('created_at').notNull().defaultNow()
export const updatedAt = () =>
  instant('updated_at')
    .notNull()
    .defaultNow()
    .$onUpdate(() => nextUpdatedAt)

/**
 * Now, and at least a millisecond after the change before: `updatedAt` is the version that clients compare, in ISO
 * 8601. Statements that drizzle does not build set `updated_at` to it.
 */
export const nextUpdatedAt = sql`greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')`

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

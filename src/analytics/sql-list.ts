import { type SQL, sql } from 'drizzle-orm'

/** Values as an SQL list, for use after `in`. */
export const listOf = (values: readonly string[]): SQL =>
  sql`(${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`

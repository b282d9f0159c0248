import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { sessionRanges } from './rules'

const counts = [
  'events',
  'visitors',
  'views',
  'completions',
  'audio_plays',
  'stories_read',
  'sessions',
  'session_ms',
] as const

type DaySums = Partial<Record<(typeof counts)[number] | 'session_counts', SQL>>

/** Adds aggregates to the sums of each day and category. `rows` have a `day` and a `category`. */
export async function addToDays(tx: Transaction, sums: DaySums, rows: SQL): Promise<void> {
  const columns = counts.map((name) => sql.identifier(name))
  const noCounts = sql`array_fill(0, array[${sessionRanges.length}::int])`
  await tx.execute(sql`
    insert into analytics_days as sums (day, category, ${sql.join(columns, sql`, `)}, session_counts)
    select day, category, ${sql.join(
      counts.map((name) => sums[name] ?? sql`0`),
      sql`, `,
    )}, ${sums.session_counts ?? noCounts}
    from ${rows} group by day, category
    on conflict (category, day) do update set ${sql.join(
      columns.map((name) => sql`${name} = sums.${name} + excluded.${name}`),
      sql`, `,
    )}, session_counts = ${addedArrays(sql`session_counts`, sessionRanges.length)}`)
}

/** The element-wise sum of the stored and the new array, for an upsert into `sums`. */
export function addedArrays(name: SQL, length: number): SQL {
  return sql`array[${sql.join(
    Array.from(
      { length },
      (_, at) => sql`coalesce(sums.${name}[${at + 1}::int], 0) + excluded.${name}[${at + 1}::int]`,
    ),
    sql`, `,
  )}]`
}

import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'

/** Vacuum and analyze after a load of this size would otherwise run beside the measured queries. */
export async function vacuum(db: Database): Promise<void> {
  const tables = await db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  // One by one: each statement has half a minute (db/db.ts).
  for (const { name } of tables) await db.execute(sql`vacuum analyze ${sql.identifier(name)}`)
}

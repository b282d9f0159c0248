import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'

/** Vacuums and analyzes all tables, which would otherwise run beside the measured queries after a load of this size. */
export async function vacuum(db: Database): Promise<void> {
  const tables = await db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  // One by one, because each statement has half a minute (db/db.ts).
  for (const { name } of tables) await db.execute(sql`vacuum analyze ${sql.identifier(name)}`)
}

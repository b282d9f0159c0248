import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { forgetPermissions } from '#src/narration/permissions'
import { forgetLists } from './kept-lists'

const channel = 'library_changed'

/**
 * After a change to the library: what was listed, counted and permitted before is forgotten, here at once
 * and in every other process on the database (a terminal changes it beside the server).
 */
export async function libraryChanged(db: Database): Promise<void> {
  forget(db)
  await db.execute(sql`select pg_notify(${channel}, '')`)
}

/** Hears of changes made elsewhere. A hint only: what is kept ends by itself, and is forgotten whenever the line was cut. */
export async function hearOfChanges(db: Database): Promise<void> {
  await db.sql.listen(
    channel,
    () => forget(db),
    () => forget(db),
  )
}

/** Calls `forget` after each change: for what others keep of the library. */
export function onLibraryChange(db: Database, forget: () => void): void {
  keepers.set(db, [...(keepers.get(db) ?? []), forget])
}

const keepers = new WeakMap<Database, (() => void)[]>()

function forget(db: Database): void {
  forgetLists(db)
  forgetPermissions()
  for (const each of keepers.get(db) ?? []) each()
}

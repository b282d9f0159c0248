import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { errorFields, type Log } from '#src/process/log'
import { forgetLists } from './list-cache'

const channel = 'library_changed'

/**
 * Clears the caches of lists, counts and permissions after a change to the library, here at once and in every other
 * process on the database (a terminal changes it beside the server). The change is made: it does not fail by a hint
 * that is lost with the connection. Those who would have heard it clear their caches when they hear again, or let them
 * expire.
 */
export async function libraryChanged(db: Database): Promise<void> {
  forget(db)
  await db.execute(sql`select pg_notify(${channel}, '')`).catch(() => {})
}

/**
 * Listens for changes made by other processes; resolves once it does. A notification is a hint only: cache entries
 * expire by themselves, and all are cleared when the connection was lost.
 */
export async function listenForChanges({ db, log }: { db: Database; log: Log }): Promise<void> {
  let isDeaf = false
  await db.listen(channel, {
    onNotification: () => forget(db),
    onListening() {
      if (isDeaf) log.info('changes of other processes are heard again')
      isDeaf = false
      forget(db)
    },
    onFailure(error) {
      if (!isDeaf) log.warn('changes of other processes are seen late', errorFields(error))
      isDeaf = true
    },
  })
}

/** Calls `forget` after each change of the library: for caches of other nouns. */
export function onLibraryChange(db: Database, forget: () => void): void {
  keepers.set(db, [...(keepers.get(db) ?? []), forget])
}

const keepers = new WeakMap<Database, (() => void)[]>()

function forget(db: Database): void {
  // What is read from now on has the change.
  db.replica?.watch.requireChange()
  forgetLists(db)
  for (const each of keepers.get(db) ?? []) each()
}

import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { errorFields, type Log } from '#src/process/log'
import { forgetLists } from './list-cache'

const channel = 'library_changed'

/**
 * Clears the caches of lists, counts and permissions after a change to the library: at once in this process, and by a
 * notification in all others on the database (a terminal may change it beside the server). It does not throw if the
 * notification is lost with the connection, since the change itself is committed. The other processes then clear their
 * caches when they reconnect, or the entries expire.
 */
export async function libraryChanged(db: Database): Promise<void> {
  forget(db)
  await db.execute(sql`select pg_notify(${channel}, '')`).catch(() => {})
}

/**
 * Listens for changes made by other processes, and resolves once it does. A notification is only a hint: cache entries
 * expire by themselves, and all are cleared after a lost connection.
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

/** Calls `forget` after each change of the library, for the caches of other nouns. */
export function onLibraryChange(db: Database, forget: () => void): void {
  keepers.set(db, [...(keepers.get(db) ?? []), forget])
}

const keepers = new WeakMap<Database, (() => void)[]>()

function forget(db: Database): void {
  // From now on reads have to include the change.
  db.replica?.watch.requireChange()
  forgetLists(db)
  for (const each of keepers.get(db) ?? []) each()
}

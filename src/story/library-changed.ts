import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { errorFields, type Log } from '#src/process/log'
import { clearListCaches } from './list-cache'

const channel = 'library_changed'

/**
 * Clears the caches of lists, counts and permissions after a change to the library: at once in this process, and by a
 * notification in all others on the database (a terminal may change it beside the server). It does not throw if the
 * notification is lost with the connection, since the change itself is committed. The other processes then clear their
 * caches when they reconnect, or the entries expire.
 */
export async function libraryChanged(db: Database): Promise<void> {
  clearCaches(db)
  await db.execute(sql`select pg_notify(${channel}, '')`).catch(() => {})
}

/**
 * Listens for changes made by other processes, and resolves once it does. A notification is only a hint: cache entries
 * expire by themselves, and all are cleared after a lost connection.
 */
export async function listenForChanges({ db, log }: { db: Database; log: Log }): Promise<void> {
  let isDisconnected = false
  await db.listen(channel, {
    onNotification: () => clearCaches(db),
    onListening() {
      if (isDisconnected) log.info('changes of other processes are heard again')
      isDisconnected = false
      clearCaches(db)
    },
    onFailure(error) {
      if (!isDisconnected) log.warn('changes of other processes are seen late', errorFields(error))
      isDisconnected = true
    },
  })
}

/** Calls `forget` after each change of the library, for the caches of other nouns. */
export function onLibraryChange(db: Database, clear: () => void): void {
  listeners.set(db, [...(listeners.get(db) ?? []), clear])
}

const listeners = new WeakMap<Database, (() => void)[]>()

function clearCaches(db: Database): void {
  // From now on reads have to include the change.
  db.replica?.watch.requireChange()
  clearListCaches(db)
  for (const each of listeners.get(db) ?? []) each()
}

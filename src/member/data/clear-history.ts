import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { lock } from '#db/locks'
import { foldNews } from '#src/analytics/rollup'
import { listedMemberTables } from '#src/personal-data/registry'

/**
 * Clears a member's listening and reading history and positions. Plays stay counted, without the member. This is also
 * the first step of account deletion.
 */
export async function clearHistory(db: Executor, id: string): Promise<void> {
  const forgotten = { id, nobody: newId() }
  await db.transaction(async (tx) => {
    await lock(tx, 'analytics')
    // Events that are not counted yet are counted for the member first, and events from before the sign-in are the
    // member's too.
    await foldNews(tx)
    for (const { clear } of listedMemberTables)
      for (const statement of clear?.(forgotten) ?? []) await tx.execute(statement)
  })
}

import { inArray, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { stories } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import { binDays } from '#src/story/rules'

/** Items of one transaction, so that none takes long; the next round deletes more. */
const itemsAtOnce = 500

/**
 * Deletes for good the items that undone imports moved to the bin more than `binDays` ago, and returns how many. Items
 * removed by hand or by moderation stay. So do reported ones, since a decision on them may be appealed later, and those
 * of a challenge, which would lose a day in its middle. The sweep removes their audio.
 */
export async function emptyBin(db: Database): Promise<number> {
  for (let deleted = 0; ; ) {
    const some = await deleteSome(db)
    deleted += some
    if (some < itemsAtOnce) return deleted
  }
}

async function deleteSome(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ id: stories.id, title: stories.title, importId: stories.removedByImport })
      .from(stories)
      .where(
        sql`removed_by_import is not null and status = 'removed'
          and removed_at < now() - make_interval(days => ${binDays})
          and not exists (select 1 from content_flags where story_id = stories.id)
          and not exists (select 1 from challenge_flows where story_id = stories.id)`,
      )
      .orderBy(stories.removedAt, stories.id)
      .limit(itemsAtOnce)
      .for('update', { skipLocked: true })
    if (due.length === 0) return 0
    await tx.delete(stories).where(
      inArray(
        stories.id,
        due.map(({ id }) => id),
      ),
    )
    for (const [importId, items] of Map.groupBy(due, (item) => item.importId))
      await recordChange(tx, 'nocturne', {
        action: 'empty_bin',
        subjectType: 'import',
        subjectId: importId,
        after: { deleted: items.length },
        items: items.map(({ id, title }) => ({ id, title, verdict: 'deleted', fields: [] })),
      })
    return due.length
  })
}

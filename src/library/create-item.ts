import type { Database } from '#db/db'
import { moderateText } from '#src/guideline/moderation-gate'
import { enqueueNarration } from '#src/narration/enqueue'
import { recordChange } from '#src/operator/audit'
import { holdForbidden } from '#src/review/hold-forbidden'
import type { PremiumItem } from '#src/story/draft-schema'
import { libraryChanged } from '#src/story/library-changed'
import { type ItemDraft, publish } from '#src/story/publish'
import { requireLibraryItem } from './queries'

/**
 * Creates an item of the library, from a form or a call: moderates its text, publishes it, queues a narration if
 * requested, and records it in the audit log. Returns the item with the guidelines' warnings. Throws what
 * `moderateText` does.
 */
export async function createItem(
  db: Database,
  draft: ItemDraft,
  by: string,
  { isNarrated = false } = {},
): Promise<PremiumItem & { warnings: string[] }> {
  const text = await moderateText(db, draft, { actor: by, role: 'operator', source: 'create' })
  const made = await db.transaction(async (tx) => {
    const { id, warnings } = await publish(tx, draft, text)
    await holdForbidden(tx, [id], by, text.judgedBy)
    if (isNarrated) await enqueueNarration(tx, id, draft.voice ?? 'female')
    const item = await requireLibraryItem(tx, id)
    const { title, status } = item
    await recordChange(tx, by, {
      action: status === 'published' ? 'publish' : 'add',
      subjectType: 'item',
      subjectId: id,
      after: { title, status },
    })
    return { ...item, warnings }
  })
  await libraryChanged(db)
  return made
}

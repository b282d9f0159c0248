import type { Database } from '#db/db'
import { enqueueNarration } from '#src/narration/enqueue'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { admitText } from './admit-text'
import type { PremiumItem } from './draft-schema'
import { findLibraryItem } from './library'
import { libraryChanged } from './library-changed'
import { type Draft, publish } from './publish'

/**
 * One item of the operators', by form or call: let in, published, narrated where asked, and recorded. Answers
 * it with what the guidelines had to say. Throws what `admitText` does.
 */
export async function createItem(
  db: Database,
  draft: Draft,
  by: string,
  { isNarrated = false } = {},
): Promise<PremiumItem & { warnings: string[] }> {
  const text = await admitText(db, draft, { actor: by, role: 'operator', door: 'create' })
  const made = await db.transaction(async (tx) => {
    const { id, warnings } = await publish(tx, draft, text)
    await recordChange(tx, by, {
      action: 'publish',
      subjectType: 'item',
      subjectId: id,
      after: { title: draft.title },
    })
    if (isNarrated) await enqueueNarration(tx, id, draft.voice ?? 'female')
    const item = await findLibraryItem(tx, id)
    if (!item) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
    return { ...item, warnings }
  })
  await libraryChanged(db)
  return made
}

import { and, eq, type SQL } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { scripts, stories } from '#db/schema'
import { sha256 } from '#src/security/keyed-hash'
import { isId } from '#src/shape/id'

/** The script that was made for this very text of an item; null where there is none. */
export async function findScript(db: Executor, storyId: string, text: string) {
  const [found] = await db
    .select({ script: scripts.script, madeBy: scripts.madeBy, updatedAt: scripts.updatedAt })
    .from(scripts)
    .where(and(eq(scripts.storyId, storyId), eq(scripts.textHash, sha256(text))))
  return found ?? null
}

/** The version of that script, for what is made meanwhile; none where there is none. */
export async function seenScript(db: Executor, storyId: string, text: string): Promise<string[]> {
  const found = await findScript(db, storyId, text)
  return found ? [found.updatedAt.toISOString()] : []
}

/**
 * The input of a script; null for a deleted or removed item. For the worker's jobs, whoever owns the item; an
 * operator reads by `openText`.
 */
export async function findText(db: Executor, storyId: string, sight?: SQL) {
  if (!isId(storyId)) return null
  const [story] = await db
    .select({
      id: stories.id,
      type: stories.type,
      status: stories.status,
      source: stories.source,
      isShared: stories.isShared,
      title: stories.title,
      content: stories.content,
      categories: stories.categories,
      voice: stories.voice,
      narratorFemale: stories.narratorFemale,
      narratorMale: stories.narratorMale,
    })
    .from(stories)
    .where(and(eq(stories.id, storyId), sight))
  return story && story.status !== 'removed' ? story : null
}
export type ItemText = NonNullable<Awaited<ReturnType<typeof findText>>>

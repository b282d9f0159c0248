import { and, eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { scripts, stories } from '#db/schema'
import { sha256 } from '#src/keyed-hash'
import { isId } from '#src/story/rules'

/** The script that was made for this very text of an item; null where there is none. */
export async function findScript(db: Executor, storyId: string, text: string) {
  const [found] = await db
    .select({ script: scripts.script, madeBy: scripts.madeBy, updatedAt: scripts.updatedAt })
    .from(scripts)
    .where(and(eq(scripts.storyId, storyId), eq(scripts.textHash, sha256(text))))
  return found ?? null
}

/** What a script is made of; null for an item that is gone or removed. */
export async function findText(db: Executor, storyId: string) {
  if (!isId(storyId)) return null
  const [story] = await db
    .select({
      id: stories.id,
      type: stories.type,
      status: stories.status,
      source: stories.source,
      title: stories.title,
      content: stories.content,
      categories: stories.categories,
      voice: stories.voice,
    })
    .from(stories)
    .where(eq(stories.id, storyId))
  return story && story.status !== 'removed' ? story : null
}
export type ItemText = NonNullable<Awaited<ReturnType<typeof findText>>>

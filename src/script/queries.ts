import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { scripts, stories } from '#db/schema'
import { carryScript } from '#src/script/format/carry-script'
import { parseScript } from '#src/script/format/parse-script'
import { printScript } from '#src/script/format/print-script'
import { sha256 } from '#src/security/keyed-hash'
import { isId } from '#src/shape/id'
import { byPeople } from './rules'

/**
 * The script of this very text of an item, else the last one of another text of it, where a person wrote that: carried
 * over to this one (not `isOwn`). Null where there is neither.
 */
export async function findScript(db: Executor, storyId: string, text: string) {
  const isOfText = eq(scripts.textHash, sha256(text))
  const [found] = await db
    .select({
      isOwn: sql<boolean>`${isOfText}`,
      script: scripts.script,
      madeBy: scripts.madeBy,
      updatedAt: scripts.updatedAt,
    })
    .from(scripts)
    .where(eq(scripts.storyId, storyId))
    // One that was carried over has the time of the script it comes from, and is nearer to this text.
    .orderBy(desc(isOfText), desc(scripts.updatedAt), desc(scripts.createdAt))
    .limit(1)
  if (!found) return null
  if (found.isOwn) return found
  const script = byPeople.includes(found.madeBy) ? await carriedOver(found.script, text) : null
  return script === null ? null : { ...found, script }
}

async function carriedOver(source: string, text: string): Promise<string | null> {
  const { script } = parseScript(source)
  const carried = script && (await carryScript(script, text))
  return carried && printScript(carried)
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

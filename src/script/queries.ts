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
 * Finds the script of this exact text of an item. If there is none, the item's latest script is carried over to this
 * text, provided that a person wrote it (`isOwn` is then false). Null if neither exists.
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
    // A carried-over script has the time of the script that it comes from, and is closer to this text.
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

/** The version of the current script, to detect whether another is written in the meantime. Empty if there is none. */
export async function seenScript(db: Executor, storyId: string, text: string): Promise<string[]> {
  const found = await findScript(db, storyId, text)
  return found ? [found.updatedAt.toISOString()] : []
}

/**
 * Finds the input of a script, whoever owns the item, for jobs of the worker. Null for a deleted or removed item. For
 * operators use `openText`.
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

import { and, inArray, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { isId } from '#src/shape/id'
import { hasPage } from '#src/story/shown-items'

export type AllowedItem = { id: string; version: string }

/**
 * Lists those of the ids that a member may hear and read. A version changes with the text, with the item's displayed
 * fields, and with the timings of its words; it names the hash of each narration.
 */
export async function listAllowed(
  db: Executor,
  memberId: string,
  ids: readonly string[],
): Promise<AllowedItem[]> {
  const validIds = ids.filter(isId)
  if (validIds.length === 0) return []
  return db
    .select({ id: stories.id, version: sql<string>`concat_ws('.', ${textVersion}, ${audioHashes})` })
    .from(stories)
    .where(and(inArray(stories.id, validIds), hasPage(memberId)))
}

const textVersion = sql`md5(concat_ws('\n', stories.title, stories.description, stories.excerpt, stories.content,
  stories.categories, stories.tags, stories.content_notes, stories.slug, stories.is_free, stories.audio_url,
  (select string_agg(timings.created_at::text, ' ' order by timings.narration_id) from narration_timings timings
    join narrations timed on timed.id = timings.narration_id where timed.story_id = stories.id and timed.is_current)))`

const audioHashes = sql`(select string_agg(audio_hash, '.' order by voice) from narrations
  where story_id = stories.id and is_current)`

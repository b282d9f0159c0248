import { type SQL, sql } from 'drizzle-orm'
import { countWords, excerptCharactersMax, isExcerptMade, preview } from './rules'
import { titleKey } from './title-key'

type Given = { content?: unknown; title?: unknown; excerpt?: unknown; voice?: unknown }
type Excerpted = { content: string; excerpt: string }

/**
 * The columns derived from a changed text, title or voice, for the update that changes them. If the item existed
 * `before`, the excerpt is among them.
 */
export function derivedColumns(given: Given, before?: Excerpted) {
  const { content, title, voice } = given
  return {
    ...(typeof content === 'string' && { wordCount: countWords(content) }),
    ...(before && derivedExcerpt(given, before)),
    ...(typeof title === 'string' && { titleKey: titleKey(title) }),
    ...(typeof voice === 'string' && { audioDurationSeconds: measuredSeconds(sql`${voice}`) }),
  }
}

/**
 * Derives the excerpt anew if it was the beginning of the text, or if it was emptied. An excerpt that a person wrote
 * stays.
 */
function derivedExcerpt({ content, excerpt }: Given, before: Excerpted): { excerpt?: string } {
  const isFollowing = excerpt === undefined && content !== undefined && isExcerptMade(before)
  if (!isFollowing && excerpt !== '') return {}
  return { excerpt: preview(typeof content === 'string' ? content : before.content, excerptCharactersMax) }
}

/**
 * Expression for an item's measured length, for use in an update of the item: the length of its narration in its own
 * voice, or of its only one. Null without a narration.
 */
export function measuredSeconds(voice: SQL): SQL<number | null> {
  return sql`(
    select duration_seconds from narrations join audio_files on hash = audio_hash
    where story_id = stories.id and is_current order by (narrations.voice = ${voice}) desc limit 1)`
}

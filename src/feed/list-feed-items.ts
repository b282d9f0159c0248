import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { audioFiles, narrations, stories } from '#db/schema'
import { findSettings } from '#src/member/settings'
import { type AudioExtension, audioTypes } from '#src/narration/rules'
import { isShownTo } from '#src/story/never-shown'
import { type ItemType, preview, previewCharactersMax, type Voice } from '#src/story/rules'
import { discreetFeedTitle, discreetItemTitle, feedItemsMax } from './rules'

/** An item as an app of the member's shows it, with the audio that it may fetch. */
export type FeedItem = {
  id: string
  type: ItemType
  title: string
  words: string
  categories: readonly string[]
  contentNotes: readonly string[]
  publishedAt: Date
  voice: Voice
  extension: AudioExtension
  mediaType: string
  sizeBytes: number
  durationSeconds: number
}
export type Feed = { title: string; items: FeedItem[]; isDiscreet: boolean }

/**
 * What a member may hear and has not hidden, the newest first: the published library, and what they made themselves. An item stands
 * there once, in its own voice where it has one. In discreet mode names and words are neutral.
 */
export async function listFeedItems(db: Database, userId: string, siteName: string): Promise<Feed> {
  const { discreetMode, hiddenCategories, hiddenWords } = await findSettings(db, userId)
  const isShown = isShownTo({ categories: hiddenCategories, words: hiddenWords })
  const isTheirs = sql`(${stories.source} = 'pre_uploaded' and ${stories.status} = 'published')
    or (${stories.source} = 'user_generated' and ${stories.userId} = ${userId} and ${stories.status} <> 'removed')`
  const isSpoken = sql`${narrations.voice} = (
    select voice from narrations as each where each.story_id = ${stories.id} and each.is_current
    order by each.voice = ${stories.voice} desc, each.voice limit 1)`
  const rows = await db
    .select({
      id: stories.id,
      type: stories.type,
      title: stories.title,
      description: stories.description,
      excerpt: stories.excerpt,
      preview: stories.preview,
      categories: stories.categories,
      contentNotes: stories.contentNotes,
      publishedAt: stories.publishedAt,
      voice: narrations.voice,
      extension: audioFiles.extension,
      sizeBytes: audioFiles.sizeBytes,
      durationSeconds: audioFiles.durationSeconds,
    })
    .from(stories)
    .innerJoin(narrations, and(eq(narrations.storyId, stories.id), eq(narrations.isCurrent, true)))
    .innerJoin(audioFiles, eq(audioFiles.hash, narrations.audioHash))
    .where(and(sql`(${isTheirs})`, isSpoken, isShown))
    .orderBy(desc(stories.publishedAt), desc(stories.id))
    .limit(feedItemsMax)
  const items = rows.map(({ description, excerpt, preview: beginning, ...row }, at) => ({
    ...row,
    mediaType: audioTypes[row.extension],
    title: discreetMode ? discreetItemTitle(rows.length - at) : row.title,
    words: discreetMode ? '' : description || excerpt || preview(beginning, previewCharactersMax),
    categories: discreetMode ? [] : row.categories,
    contentNotes: discreetMode ? [] : row.contentNotes,
  }))
  return { title: discreetMode ? discreetFeedTitle : siteName, items, isDiscreet: discreetMode }
}

import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { audioFiles, episodeNumbers, narrations, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { findSettings } from '#src/member/settings/settings'
import { type AudioExtension, audioTypes } from '#src/narration/rules'
import { itemSquare, type Picture, plainSquare, siteSquare } from '#src/picture/rules'
import { isShownTo } from '#src/story/never-shown'
import { type ItemType, preview, previewCharactersMax, type Voice } from '#src/story/rules'
import { discreetFeedTitle, discreetItemTitle, feedItemsMax } from './rules'

/** An item as a member's app shows it, with its audio if it has any. */
export type FeedItem = {
  id: string
  type: ItemType
  title: string
  words: string
  categories: readonly string[]
  contentNotes: readonly string[]
  publishedAt: Date
  audio: FeedAudio | null
  picture: Picture
}
export type FeedAudio = {
  voice: Voice
  extension: AudioExtension
  mediaType: string
  sizeBytes: number
  durationSeconds: number
  /** Whether there are times for its sentences that match the present text. */
  hasTranscript: boolean
}
/** One page of a feed; `total` counts the items of all pages. */
export type Feed = {
  title: string
  picture: Picture
  items: FeedItem[]
  isDiscreet: boolean
  page: number
  pages: number
  total: number
}
type Asked = { page: number; isSpokenOnly: boolean }

/**
 * Lists a page of a member's feed, the newest first: the published library without hidden items, and the member's own
 * items. Each is listed once, with the audio of its own voice if there is one. In discreet mode names and words are
 * neutral. Throws `not_found` past the last page.
 */
export async function listFeedItems(
  db: Database,
  userId: string,
  siteName: string,
  { page, isSpokenOnly }: Asked,
): Promise<Feed> {
  const { discreetMode, hiddenCategories, hiddenWords } = await findSettings(db, userId)
  const isShown = isShownTo({ categories: hiddenCategories, words: hiddenWords })
  const isListed = and(isTheirs(userId), isSpokenOnly ? isSpoken : undefined, isShown)
  const total = await db.$count(stories, isListed)
  const pages = Math.max(1, Math.ceil(total / feedItemsMax))
  if (page > pages)
    throw new AppError('not_found', `This feed has ${pages === 1 ? 'one page' : `${pages} pages`}.`)
  if (discreetMode) await numberEpisodes(db, isTheirs(userId))
  const rows = await readPage(db, isListed, page)
  const items = discreetMode ? rows.map(neutral) : rows.map(({ number: _, ...item }) => item)
  return {
    title: discreetMode ? discreetFeedTitle : siteName,
    picture: feedPicture({ discreetMode }, siteName),
    items,
    isDiscreet: discreetMode,
    page,
    pages,
    total,
  }
}

/** The art of a member's whole feed. */
export function feedPicture({ discreetMode }: { discreetMode: boolean }, siteName: string): Picture {
  return discreetMode ? plainSquare : siteSquare(siteName)
}

/** Condition of the items of a member's feeds: published ones, and the member's own that are not removed. */
export function isTheirs(userId: string): SQL {
  return sql`((${stories.source} = 'pre_uploaded' and ${stories.status} = 'published')
    or (${stories.source} = 'user_generated' and ${stories.userId} = ${userId} and ${stories.status} <> 'removed'))`
}

const isSpoken = sql`exists (select from narrations each where each.story_id = ${stories.id} and each.is_current)`
const isOfItsVoice = sql`${narrations.voice} = (
  select voice from narrations as each where each.story_id = ${stories.id} and each.is_current
  order by each.voice = ${stories.voice} desc, each.voice limit 1)`
const hasTranscript = sql<boolean>`exists (select from narration_timings as timed
  where timed.narration_id = ${narrations.id} and cardinality(timed.sentences) > 0
  and timed.text_hash = encode(sha256(convert_to(${stories.content}, 'UTF8')), 'hex'))`

async function readPage(db: Database, isListed: SQL | undefined, page: number) {
  const rows = await db
    .select({
      id: stories.id,
      type: stories.type,
      title: stories.title,
      source: stories.source,
      description: stories.description,
      excerpt: stories.excerpt,
      preview: stories.preview,
      categories: stories.categories,
      contentNotes: stories.contentNotes,
      publishedAt: stories.publishedAt,
      number: episodeNumbers.number,
      audio: {
        voice: narrations.voice,
        extension: audioFiles.extension,
        sizeBytes: audioFiles.sizeBytes,
        durationSeconds: audioFiles.durationSeconds,
      },
      hasTranscript,
    })
    .from(stories)
    .leftJoin(
      narrations,
      and(eq(narrations.storyId, stories.id), eq(narrations.isCurrent, true), isOfItsVoice),
    )
    .leftJoin(audioFiles, eq(audioFiles.hash, narrations.audioHash))
    .leftJoin(episodeNumbers, eq(episodeNumbers.storyId, stories.id))
    .where(isListed)
    .orderBy(desc(stories.publishedAt), desc(stories.id))
    .limit(feedItemsMax)
    .offset((page - 1) * feedItemsMax)
  return rows.map(({ description, excerpt, preview: beginning, hasTranscript, audio, source, ...row }) => ({
    ...row,
    words: description || excerpt || preview(beginning, previewCharactersMax),
    audio: audio && withType({ ...audio, hasTranscript }),
    picture: itemSquare({ title: row.title, source }),
  }))
}

type AudioColumns = Pick<FeedAudio, 'hasTranscript'> & {
  [Name in 'voice' | 'extension' | 'sizeBytes' | 'durationSeconds']: FeedAudio[Name] | null
}

/** The audio of an item; null without a narration, when all these columns are null. */
function withType({ voice, extension, sizeBytes, durationSeconds, hasTranscript }: AudioColumns) {
  if (voice === null || extension === null || sizeBytes === null || durationSeconds === null) return null
  return { voice, extension, sizeBytes, durationSeconds, mediaType: audioTypes[extension], hasTranscript }
}

/** Numbers the items that have no number yet, the oldest first. An item keeps its number for ever. */
async function numberEpisodes(db: Database, isOf: SQL): Promise<void> {
  await db.execute(sql`
    insert into episode_numbers (story_id)
    select ${stories.id} from ${stories}
    where ${isOf} and not exists (select from episode_numbers where story_id = ${stories.id})
    order by ${stories.publishedAt}, ${stories.id}
    on conflict do nothing`)
}

/**
 * Gives the item a neutral name and removes words about its content. It has no transcript, since players show
 * transcripts unasked.
 */
function neutral({ number, ...item }: FeedItem & { number: number | null }): FeedItem {
  return {
    ...item,
    title: discreetItemTitle(number ?? 0),
    words: '',
    categories: [],
    contentNotes: [],
    audio: item.audio && { ...item.audio, hasTranscript: false },
    picture: plainSquare,
  }
}

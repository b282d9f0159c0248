import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { narrations, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { findSettings } from '#src/member/settings/settings'
import { findTimings } from '#src/narration/timing/store-timings'
import { unpackTimings } from '#src/narration/timing/timing-rules'
import { itemSquare, type Picture, plainSquare } from '#src/picture/rules'
import { sha256 } from '#src/security/keyed-hash'
import { isId } from '#src/shape/id'
import { isSceneBreak, listParagraphs } from '#src/ui/story-text'
import { isTheirs } from './list-feed-items'
import { printTranscript } from './transcript'
import { printXml } from './xml'

/** Renders the text of an item of a member's feeds as XHTML, for reading apps. Throws `not_found`. */
export async function textDocument(db: Database, userId: string, id: string): Promise<string> {
  const [{ discreetMode }, item] = await Promise.all([findSettings(db, userId), findText(db, userId, id)])
  const title = { name: 'title', content: discreetMode ? '' : item.title }
  const paragraphs = listParagraphs(item.content).map(({ text }) =>
    isSceneBreak(text) ? { name: 'hr' } : { name: 'p', content: text },
  )
  return printXml({
    name: 'html',
    attributes: { xmlns: 'http://www.w3.org/1999/xhtml', lang: 'en' },
    content: [
      { name: 'head', content: [title] },
      { name: 'body', content: discreetMode ? paragraphs : [{ ...title, name: 'h1' }, ...paragraphs] },
    ],
  })
}

/**
 * Returns the sentences of an item's narration with their times, as WebVTT. Throws `not_found` if the times are not
 * known.
 */
export async function transcriptOf(
  db: Database,
  userId: string,
  { id, voice }: { id: string; voice: string },
): Promise<string> {
  const { content } = await findText(db, userId, id)
  const [narration] = await db
    .select({ id: narrations.id })
    .from(narrations)
    .where(
      and(eq(narrations.storyId, id), sql`${narrations.voice} = ${voice}`, eq(narrations.isCurrent, true)),
    )
  const stored = narration && (await findTimings(db, narration.id))
  if (stored?.textHash !== sha256(content))
    throw new AppError('not_found', 'There is no transcript of this narration.')
  return printTranscript(content, unpackTimings(stored).sentences)
}

/** Finds the art of an item of a member's feeds. Throws `not_found`. */
export async function findItemPicture(db: Database, userId: string, id: string): Promise<Picture> {
  const [{ discreetMode }, item] = await Promise.all([findSettings(db, userId), findText(db, userId, id)])
  return discreetMode ? plainSquare : itemSquare(item)
}

async function findText(db: Database, userId: string, id: string) {
  const [item] = isId(id)
    ? await db
        .select({ title: stories.title, source: stories.source, content: stories.content })
        .from(stories)
        .where(and(eq(stories.id, id), isTheirs(userId)))
    : []
  if (!item) throw new AppError('not_found', 'There is no such item in this feed.')
  return item
}

import { and, count, eq, gt, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { openings } from '#db/schema'
import { cookielessFactor, meterDays } from './meter-rules'

export type Opening = { isOpen: boolean; left: number }

/**
 * Counts the opening of a story by a visitor, once per visitor and story. An opened story stays open. Above the limit
 * nothing is counted and `isOpen` is false. `left` is the number of stories that are still free. A reader without any
 * cookie is counted by the hash of the address, with ten times the limit per day.
 */
export async function openStory(
  db: Executor,
  reader: MeteredReader,
  storyId: string,
  limit: number,
): Promise<Opening> {
  const [row] = await openingQuery(db).execute({
    readerId: reader.id,
    storyId,
    allowed: reader.isCookieless ? limit * cookielessFactor : limit,
    days: daysOf(reader),
  })
  const left = row?.left ?? null
  return { isOpen: left !== null, left: left ?? 0 }
}

/** Calls a function of the database: lock, count and insert take one round trip instead of six. */
const openingQuery = prepareOnce((db) => {
  const [readerId, storyId] = [sql.placeholder('readerId'), sql.placeholder('storyId')]
  const [allowed, days] = [sql.placeholder('allowed'), sql.placeholder('days')]
  return db
    .select({ left: sql<number | null>`opened` })
    .from(sql`nocturne_open_story(${readerId}, ${storyId}, ${allowed}, ${days}) as opened`)
    .prepare('opening')
})

/** Whether a reader has opened a story, which therefore stays open. */
export async function hasOpened(db: Executor, reader: MeteredReader, storyId: string): Promise<boolean> {
  const found = await db
    .select({ storyId: openings.storyId })
    .from(openings)
    .where(and(eq(openings.readerId, reader.id), eq(openings.storyId, storyId), isRecent(daysOf(reader))))
  return found.length > 0
}

/** Counts the stories that are still free to a visitor. */
export async function countFreeStoriesLeft(db: Executor, visitorId: string, limit: number): Promise<number> {
  const [row] = await db
    .select({ opened: count() })
    .from(openings)
    .where(and(eq(openings.readerId, visitorId), isRecent(meterDays)))
  return Math.max(0, limit - (row?.opened ?? 0))
}

/** A reader on the meter: a visitor with an id of ours, or an address without a cookie. */
export type MeteredReader = { id: string; isCookieless: boolean }

const daysOf = (reader: MeteredReader) => (reader.isCookieless ? 1 : meterDays)
const isRecent = (days: number) => gt(openings.openedAt, sql`now() - make_interval(days => ${days})`)

import { and, count, eq, gt, ne, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { openings } from '#db/schema'
import { cookielessFactor, meterDays } from './meter-rules'

export type Opening = { isOpen: boolean; left: number }

/**
 * Counts one opening of a story by a visitor, once a visitor and story. An opened story stays open; past the limit
 * nothing is counted and `isOpen` is false. `left` is how many stories are still free. A reader without any cookie is
 * counted by the hash of the address, at ten times the limit a day.
 */
export async function openStory(
  db: Executor,
  reader: MeteredReader,
  storyId: string,
  limit: number,
): Promise<Opening> {
  return db.transaction(async (tx) => {
    // Two tabs opening two stories at once are counted one after the other.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${reader.id}, 7))`)
    const opened = await countOpenings(tx, reader, storyId)
    const allowed = allowance(reader, limit)
    if (!opened.hasOpened && opened.others >= allowed) return { isOpen: false, left: 0 }
    if (!opened.hasOpened) {
      await tx
        .insert(openings)
        .values({ readerId: reader.id, storyId })
        .onConflictDoUpdate({ target: [openings.readerId, openings.storyId], set: { openedAt: sql`now()` } })
    }
    return { isOpen: true, left: Math.max(0, allowed - opened.others - 1) }
  })
}

/** Whether a story stays open to a reader who has opened it. */
export async function hasOpened(db: Executor, reader: MeteredReader, storyId: string): Promise<boolean> {
  return (await countOpenings(db, reader, storyId)).hasOpened
}

/** How many stories are still free to a visitor. */
export async function countFreeStoriesLeft(db: Executor, visitorId: string, limit: number): Promise<number> {
  const [row] = await db
    .select({ opened: count() })
    .from(openings)
    .where(and(eq(openings.readerId, visitorId), isRecent(meterDays)))
  return Math.max(0, limit - (row?.opened ?? 0))
}

/** The reader: a visitor with an id of ours, or an address without a cookie. */
export type MeteredReader = { id: string; isCookieless: boolean }

async function countOpenings(tx: Executor, reader: MeteredReader, storyId: string) {
  const recent = and(eq(openings.readerId, reader.id), isRecent(reader.isCookieless ? 1 : meterDays))
  const [mine] = await tx
    .select({ storyId: openings.storyId })
    .from(openings)
    .where(and(recent, eq(openings.storyId, storyId)))
  const [others] = await tx
    .select({ count: count() })
    .from(openings)
    .where(and(recent, ne(openings.storyId, storyId)))
  return { hasOpened: mine !== undefined, others: others?.count ?? 0 }
}

const isRecent = (days: number) => gt(openings.openedAt, sql`now() - make_interval(days => ${days})`)
const allowance = (reader: MeteredReader, limit: number) =>
  reader.isCookieless ? limit * cookielessFactor : limit

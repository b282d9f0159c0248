import { and, desc, eq, gt, type Placeholder, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { contentProgress, stories } from '#db/schema'
import { isSameTotal, rescalePosition } from '#src/listening/rules'
import { findItem } from '#src/story/find-items'
import { itemColumns, toItem } from '#src/story/item-row'
import { readMinutes } from '#src/story/narrator-words'
import { isShownTo } from '#src/story/never-shown'
import type { Item, NeverShown } from '#src/story/schema'
import { hasPage } from '#src/story/shown-items'
import { textAround } from './text-around'

/** An item that a member has begun, with the progress in listening or reading, and how much is left. */
export type Begun = {
  item: Item
  isHeard: boolean
  /** The progress, from 0 to 1. */
  share: number
  soundSeconds: number
  minutesLeft: number
}
export type Evening = { resume: (Begun & { words: string }) | null; others: Begun[] }

const othersMax = 3

/**
 * Finds the item where a member stopped last, with the interrupted sentence, and the other items they have begun, the
 * newest first.
 */
export async function findEvening(
  db: Executor,
  memberId: string,
  neverShown: NeverShown | null = null,
): Promise<Evening> {
  // Hidden categories and words are part of the statement's text: too many statements to prepare each.
  const rows = await (neverShown
    ? begunQuery(db, memberId, neverShown)
    : wholeQuery(db).execute({ memberId }))
  const [first, ...others] = rows.map(({ position, ...item }) => describe(toItem(item, 'none'), position))
  const whole = first && (await findItem(db, { id: first.item.id }, 'whole', memberId))
  return { resume: first ? { ...first, words: textAround(whole?.content ?? '', first.share) } : null, others }
}

const wholeQuery = prepareOnce((db) => begunQuery(db, sql.placeholder('memberId'), null).prepare('begun'))

/**
 * Selects begun items. They are joined to sorted positions until there are enough, since some may be hidden or have
 * left the library.
 */
function begunQuery(db: Executor, memberId: string | Placeholder, neverShown: NeverShown | null) {
  const latest = db
    .select({
      contentId: contentProgress.contentId,
      positionSec: contentProgress.lastPositionSec,
      totalSec: contentProgress.totalSec,
      at: contentProgress.lastUpdatedAt,
    })
    .from(contentProgress)
    .where(
      and(
        eq(contentProgress.anonId, memberId),
        eq(contentProgress.completed, false),
        gt(contentProgress.lastPositionSec, 0),
      ),
    )
    .orderBy(desc(contentProgress.lastUpdatedAt))
    .as('latest')
  return db
    .select({
      ...itemColumns('none'),
      position: { positionSec: latest.positionSec, totalSec: latest.totalSec },
    })
    .from(latest)
    .innerJoin(stories, eq(stories.id, latest.contentId))
    .where(and(hasPage(memberId), isShownTo(neverShown)))
    .orderBy(desc(latest.at))
    .limit(1 + othersMax)
}

/** Reading and listening share one position; its total tells which of them was last. */
function describe(
  item: Item,
  { positionSec, totalSec }: { positionSec: number; totalSec: number | null },
): Begun {
  const soundSeconds = item.audioDurationSeconds ?? item.duration * 60
  const readSeconds = readMinutes(item) * 60
  const isSpoken = item.narrations.female || item.narrations.male
  const isHeard = isSpoken && (totalSec === null || isSameTotal(totalSec, soundSeconds))
  const seconds = isHeard ? soundSeconds : readSeconds
  const share = Math.min(1, rescalePosition(positionSec, totalSec, seconds) / seconds)
  return {
    item,
    isHeard,
    share,
    soundSeconds,
    minutesLeft: Math.max(1, Math.round(((1 - share) * seconds) / 60)),
  }
}

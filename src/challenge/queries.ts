import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { challengeEnrolments, challengeFlows, challenges, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { isId } from '#src/shape/id'
import { pick } from '#src/shape/pick'
import { isShownTo } from '#src/story/never-shown'
import type { NeverShown } from '#src/story/schema'
import { isListed } from '#src/story/shown-items'
import { awayTitle, dateIn, hiddenTitle, stateOf } from './rules'
import { type Challenge, type ChallengeDay, challengeTextNames, type UserChallenge } from './schema'

/** Lists the published challenges with their days, the newest first. */
export async function listChallenges(db: Executor, neverShown: NeverShown | null): Promise<Challenge[]> {
  const rows = await db
    .select()
    .from(challenges)
    .where(isNotNull(challenges.publishedAt))
    .orderBy(sql`${challenges.publishedAt} desc, ${challenges.id} desc`)
  return describe(db, rows, { neverShown })
}

/** Returns one published challenge. Throws `not_found`. */
export async function requireChallenge(
  db: Executor,
  id: string,
  neverShown: NeverShown | null = null,
): Promise<Challenge> {
  const rows = await findRows(db, id)
  const [challenge] = await describe(db, rows, { neverShown })
  if (!challenge?.isPublished) throw missingChallenge()
  return challenge
}

/** Finds any challenge, published or not, as operators see it. */
export async function findChallenge(db: Executor, id: string): Promise<Challenge | null> {
  const rows = await findRows(db, id)
  return (await describe(db, rows, 'operator'))[0] ?? null
}

async function findRows(db: Executor, id: string) {
  return isId(id) ? db.select().from(challenges).where(eq(challenges.id, id)) : []
}

/**
 * Finds the id of a challenge by its id or, case-insensitively, by its name. Throws `not_found`, and `conflict` if
 * several have the name.
 */
export async function requireChallengeId(db: Executor, idOrName: string): Promise<string> {
  if (isId(idOrName)) return idOrName
  const found = await db
    .select({ id: challenges.id })
    .from(challenges)
    .where(sql`lower(${challenges.name}) = lower(${idOrName})`)
    .limit(2)
  if (found.length > 1) throw new AppError('conflict', 'More than one challenge has that name. Use its id.')
  if (!found[0]) throw missingChallenge()
  return found[0].id
}

/** Lists all challenges as operators see them, the newest first, with the number of members in each. */
export async function listAllChallenges(db: Executor): Promise<(Challenge & { members: number })[]> {
  const rows = await db.select().from(challenges).orderBy(sql`${challenges.id} desc`)
  const counts = await db
    .select({ id: challengeEnrolments.challengeId, members: sql<number>`count(*)::int` })
    .from(challengeEnrolments)
    .groupBy(challengeEnrolments.challengeId)
  const members = new Map(counts.map((each) => [each.id, each.members]))
  return (await describe(db, rows, 'operator')).map((each) => ({
    ...each,
    members: members.get(each.id) ?? 0,
  }))
}

/** Lists the challenges that a member is enrolled in, those with an open day first. */
export async function listUserChallenges(db: Executor, memberId: string): Promise<UserChallenge[]> {
  const rows = await enrolmentsQuery(db).execute({ memberId })
  const now = new Date()
  const listed = rows.map(({ enrolment, challenge }) => toUserChallenge(enrolment, challenge, now))
  return listed.toSorted((a, b) => orderOf(a) - orderOf(b))
}

const enrolmentsQuery = prepareOnce((db) =>
  db
    .select({ enrolment: challengeEnrolments, challenge: challenges })
    .from(challengeEnrolments)
    .innerJoin(challenges, eq(challenges.id, challengeEnrolments.challengeId))
    .where(
      and(eq(challengeEnrolments.userId, sql.placeholder('memberId')), isNotNull(challenges.publishedAt)),
    )
    .orderBy(asc(challengeEnrolments.createdAt))
    .prepare('enrolments'),
)

export async function findUserChallenge(
  db: Executor,
  memberId: string,
  challengeId: string,
): Promise<UserChallenge | null> {
  const mine = await listUserChallenges(db, memberId)
  return mine.find(({ id }) => id === challengeId) ?? null
}

type Enrolment = typeof challengeEnrolments.$inferSelect

function toUserChallenge(
  enrolment: Enrolment,
  challenge: typeof challenges.$inferSelect,
  now: Date,
): UserChallenge {
  const { timeZone, startedOn, completedDays, pausedAt } = enrolment
  const { id, totalDays } = challenge
  const today = dateIn(timeZone, now)
  const pausedOn = pausedAt && dateIn(timeZone, pausedAt)
  const state = stateOf({ totalDays, startedOn, completedDays, pausedOn }, today)
  return {
    id,
    ...pick(challenge, challengeTextNames),
    totalDays,
    ...state,
    completedDays: Object.keys(completedDays)
      .map(Number)
      .filter((day) => day <= totalDays)
      .sort((a, b) => a - b),
    isToday: !state.isComplete && state.currentDay <= state.openDays,
    isPaused: pausedAt !== null,
    timeZone,
  }
}

function orderOf({ isToday, isPaused, isComplete }: UserChallenge): number {
  return isComplete ? 3 : isPaused ? 2 : isToday ? 0 : 1
}

/** The reader of a challenge. Operators see every item; others see only items in the library that they do not hide. */
type Reader = 'operator' | { neverShown: NeverShown | null }

/** Adds the days to challenges. A day whose item the reader may not see remains, with a placeholder for the title. */
async function describe(
  db: Executor,
  rows: readonly (typeof challenges.$inferSelect)[],
  reader: Reader,
): Promise<Challenge[]> {
  if (rows.length === 0) return []
  const isShown = reader === 'operator' ? undefined : isShownTo(reader.neverShown)
  const flows = await db
    .select({
      challengeId: challengeFlows.challengeId,
      day: challengeFlows.day,
      id: stories.id,
      title: stories.title,
      type: stories.type,
      slug: stories.slug,
      duration: stories.minutes,
      isAvailable: isListed,
      isHidden: isShown ? sql<boolean>`not (${isShown})` : sql<boolean>`false`,
    })
    .from(challengeFlows)
    .innerJoin(stories, eq(stories.id, challengeFlows.storyId))
    .where(
      inArray(
        challengeFlows.challengeId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(challengeFlows.day))
  const days = Map.groupBy(flows, ({ challengeId }) => challengeId)
  return rows.map((row) => {
    const { id, totalDays, publishedAt, updatedAt } = row
    const own = (days.get(id) ?? []).map(({ challengeId, ...day }) => dayFor(reader, day))
    return {
      id,
      ...pick(row, challengeTextNames),
      totalDays,
      minutes: own.reduce((sum, { duration }) => sum + duration, 0),
      isPublished: publishedAt !== null,
      days: own,
      updatedAt: updatedAt.toISOString(),
    }
  })
}

function dayFor(reader: Reader, day: ChallengeDay): ChallengeDay {
  if (reader !== 'operator' && !day.isAvailable) return { ...day, id: '', slug: '', title: awayTitle }
  return day.isHidden ? { ...day, title: hiddenTitle } : day
}

export function missingChallenge(): AppError {
  return new AppError('not_found', 'There is no such challenge. It may have been withdrawn.')
}

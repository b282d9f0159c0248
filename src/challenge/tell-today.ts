import { and, eq, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { challengeEnrolments, challenges, userSettings } from '#db/schema'
import { tellMember } from '#src/member/tell-member'
import type { Parts } from '#src/parts'
import { urls } from '#src/urls'
import { dateIn, hourIn, isWorthTelling, tellingHours } from './rules'

/** So many at a time; the others have their turn with the next call. */
const toldAtOnce = 500

/**
 * Tells members on their screens that a day of a challenge has opened, once an evening, where they want notifications.
 * There is no mail about it: one an evening is too many. Safe on many servers at once. Answers how many were told.
 */
export async function tellToday(
  { db, secrets }: Pick<Parts, 'db' | 'secrets'>,
  now = new Date(),
): Promise<number> {
  let told = 0
  for (const timeZone of await listEveningZones(db, now)) {
    const today = dateIn(timeZone, now)
    told += await db.transaction(async (tx) => {
      const enrolments = await takeUntold(tx, timeZone, today)
      const worth = enrolments.filter((each) => isWorthTelling({ ...each, pausedOn: null }, today))
      // Who is in several is told of one: the words are the same.
      const byMember = new Map(worth.map(({ userId, challengeId }) => [userId, challengeId]))
      for (const [userId, id] of byMember)
        await tellMember({ db: tx, secrets }, userId, {
          notice: { topic: 'challenge', path: urls.challenge(id) },
          letter: null,
        })
      return byMember.size
    })
  }
  return told
}

const isGoingOn = and(isNull(challengeEnrolments.pausedAt), isNull(challengeEnrolments.completedAt))

async function listEveningZones(db: Executor, now: Date): Promise<string[]> {
  const rows = await db
    .selectDistinct({ timeZone: challengeEnrolments.timeZone })
    .from(challengeEnrolments)
    .innerJoin(userSettings, eq(userSettings.userId, challengeEnrolments.userId))
    .where(and(isGoingOn, eq(userSettings.pushNotifications, true)))
  return rows
    .map(({ timeZone }) => timeZone)
    .filter((timeZone) => {
      const hour = hourIn(timeZone, now)
      return hour >= tellingHours.from && hour < tellingHours.until
    })
}

/** Enrolments of members who want notifications, taken so that nobody else tells them of this day. */
async function takeUntold(tx: Executor, timeZone: string, today: string) {
  const rows = await tx
    .select({
      id: challengeEnrolments.id,
      userId: challengeEnrolments.userId,
      challengeId: challengeEnrolments.challengeId,
      startedOn: challengeEnrolments.startedOn,
      completedDays: challengeEnrolments.completedDays,
      totalDays: challenges.totalDays,
    })
    .from(challengeEnrolments)
    .innerJoin(challenges, eq(challenges.id, challengeEnrolments.challengeId))
    .innerJoin(userSettings, eq(userSettings.userId, challengeEnrolments.userId))
    .where(
      and(
        eq(challengeEnrolments.timeZone, timeZone),
        or(isNull(challengeEnrolments.toldOn), lt(challengeEnrolments.toldOn, today)),
        isGoingOn,
        isNotNull(challenges.publishedAt),
        eq(userSettings.pushNotifications, true),
      ),
    )
    .limit(toldAtOnce)
    .for('update', { of: challengeEnrolments, skipLocked: true })
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0)
    await tx.update(challengeEnrolments).set({ toldOn: today }).where(inArray(challengeEnrolments.id, ids))
  return rows
}

import { and, eq, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { challengeEnrolments, challenges, userSettings } from '#db/schema'
import { notifyMember } from '#src/notification/notify-member'
import type { Services } from '#src/services'
import { urls } from '#src/urls'
import { dateIn, hourIn, needsReminder, reminderHours } from './rules'

/** So many at a time; the others follow with the next call. */
const batchSize = 500

/**
 * Sends a notification to members whose challenge has opened a day, once an evening, where they want notifications.
 * There is no mail about it: one an evening is too many. Safe on many servers at once. Returns how many were
 * notified.
 */
export async function remindOfToday(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  now = new Date(),
): Promise<number> {
  let notified = 0
  for (const timeZone of await listEveningZones(db, now)) {
    const today = dateIn(timeZone, now)
    notified += await db.transaction(async (tx) => {
      const enrolments = await claimUnnotified(tx, timeZone, today)
      const worth = enrolments.filter((each) => needsReminder({ ...each, pausedOn: null }, today))
      // A member in several challenges is notified of one: the words are the same.
      const byMember = new Map(worth.map(({ userId, challengeId }) => [userId, challengeId]))
      for (const [userId, id] of byMember)
        await notifyMember({ db: tx, secrets }, userId, {
          notice: { topic: 'challenge', path: urls.challenge(id) },
          mail: null,
        })
      return byMember.size
    })
  }
  return notified
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
      return hour >= reminderHours.from && hour < reminderHours.until
    })
}

/** Enrolments of members who want notifications, claimed so that no other process notifies them of this day. */
async function claimUnnotified(tx: Executor, timeZone: string, today: string) {
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
    .limit(batchSize)
    .for('update', { of: challengeEnrolments, skipLocked: true })
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0)
    await tx.update(challengeEnrolments).set({ toldOn: today }).where(inArray(challengeEnrolments.id, ids))
  return rows
}

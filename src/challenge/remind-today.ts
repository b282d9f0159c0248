import { and, eq, exists, gt, inArray, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Executor } from '#db/db'
import { challengeEnrolments, challenges, userSettings } from '#db/schema'
import { notifyMember } from '#src/notification/notify-member'
import type { Services } from '#src/services'
import { urls } from '#src/urls'
import { dateIn, hourIn, needsReminder, reminderHours } from './rules'

/** Members handled in one transaction. */
const batchSize = 500

type Parts = Pick<Services, 'db' | 'secrets'>

/**
 * Notifies members whose challenge has opened a day, once an evening, if they want notifications. No mail is sent,
 * since one every evening would be too many. Safe to run on many servers at once. Returns how many were notified.
 */
export async function remindOfToday(services: Parts, now = new Date()): Promise<number> {
  let notified = 0
  for (const timeZone of await listEveningZones(services.db, now)) {
    const evening = { timeZone, today: dateIn(timeZone, now) }
    let after: string | null = firstId
    while (after !== null) {
      const batch: Batch = await remindBatch(services, evening, after)
      notified += batch.notified
      after = batch.last
    }
  }
  return notified
}

type Evening = { timeZone: string; today: string }
/** `last` is the last member of a full batch, which others may follow; null for the last batch. */
type Batch = { notified: number; last: string | null }
/** Sorts before every member's id. */
const firstId = '00000000-0000-0000-0000-000000000000'

function remindBatch({ db, secrets }: Parts, evening: Evening, after: string): Promise<Batch> {
  return db.transaction(async (tx) => {
    const members = await claimMembers(tx, evening, after)
    const enrolments = await listToNotify(tx, evening, members)
    const worth = enrolments.filter((each) => needsReminder({ ...each, pausedOn: null }, evening.today))
    // A member in several challenges is notified of one, since the words are the same.
    const byMember = new Map(worth.map((each) => [each.userId, each]))
    for (const { id, userId, challengeId } of byMember.values()) {
      await notifyMember({ db: tx, secrets }, userId, {
        notice: { topic: 'challenge', path: urls.challenge(challengeId) },
        mail: null,
      })
      await tx
        .update(challengeEnrolments)
        .set({ notifiedOn: evening.today })
        .where(eq(challengeEnrolments.id, id))
    }
    return {
      notified: byMember.size,
      last: members.length < batchSize ? null : (members.at(-1) ?? null),
    }
  })
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

/**
 * Selects the next members with a challenge in a time zone who want notifications. Locks each, so that no other process
 * notifies them meanwhile, even of another challenge.
 */
async function claimMembers(tx: Executor, { timeZone, today }: Evening, after: string): Promise<string[]> {
  const isInZone = tx
    .select({ id: challengeEnrolments.id })
    .from(challengeEnrolments)
    .where(
      and(
        eq(challengeEnrolments.userId, userSettings.userId),
        eq(challengeEnrolments.timeZone, timeZone),
        isGoingOn,
      ),
    )
  const rows = await tx
    .select({ userId: userSettings.userId })
    .from(userSettings)
    .where(
      and(
        eq(userSettings.pushNotifications, true),
        gt(userSettings.userId, after),
        exists(isInZone),
        not(wasNotified(userSettings.userId, today)),
      ),
    )
    .orderBy(userSettings.userId)
    .limit(batchSize)
    .for('no key update', { skipLocked: true })
  return rows.map(({ userId }) => userId)
}

/** Lists their enrolments, except those of members whom another process notified before they were locked. */
async function listToNotify(tx: Executor, { timeZone, today }: Evening, members: readonly string[]) {
  return tx
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
    .where(
      and(
        inArray(challengeEnrolments.userId, [...members]),
        eq(challengeEnrolments.timeZone, timeZone),
        isGoingOn,
        isNotNull(challenges.publishedAt),
        not(wasNotified(challengeEnrolments.userId, today)),
      ),
    )
}

/** Whether a member was notified of any challenge on that day. */
function wasNotified(userId: PgColumn, today: string): SQL {
  return sql`exists (select from challenge_enrolments as notified where notified.user_id = ${userId} and notified.told_on >= ${today})`
}

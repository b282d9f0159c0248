import { and, eq, type SQL, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Database, Executor } from '#db/db'
import { challengeEnrolments, challengeFlows, challenges } from '#db/schema'
import { AppError } from '#src/app-error'
import { isId } from '#src/shape/id'
import { invalidField } from '#src/shape/invalid-field'
import { findUserChallenge, missingChallenge, requireChallenge } from './queries'
import { dateAfter, dateIn, daysBetween, isTimeZone, stateOf } from './rules'
import type { UserChallenge } from './schema'

/** Enrols a member in a challenge from today, in the member's time zone. An existing enrolment stays as it is. */
export async function joinChallenge(
  db: Database,
  memberId: string,
  { challengeId, timeZone }: { challengeId: string; timeZone: string },
): Promise<UserChallenge> {
  requireTimeZone(timeZone)
  await requireChallenge(db, challengeId)
  await db
    .insert(challengeEnrolments)
    .values({
      id: newId(),
      challengeId,
      userId: memberId,
      timeZone,
      startedOn: dateIn(timeZone, new Date()),
    })
    .onConflictDoNothing()
  return requireJoined(db, memberId, challengeId)
}

/**
 * Leaves a challenge and deletes the progress. Does nothing without an enrolment. Throws `not_found` for a challenge
 * that does not exist.
 */
export async function leaveChallenge(db: Database, memberId: string, challengeId: string): Promise<void> {
  if (!isId(challengeId)) throw missingChallenge()
  await db.delete(challengeEnrolments).where(mine(memberId, challengeId))
}

/** Pauses or resumes a challenge, or changes the time zone. Days of a pause do not count. Throws `not_found`. */
export async function changeEnrolment(
  db: Database,
  memberId: string,
  challengeId: string,
  { isPaused, timeZone }: { isPaused?: boolean; timeZone?: string },
): Promise<UserChallenge> {
  if (timeZone !== undefined) requireTimeZone(timeZone)
  await db.transaction(async (tx) => {
    const enrolment = await lockEnrolment(tx, memberId, challengeId)
    const now = new Date()
    const zone = timeZone ?? enrolment.timeZone
    const { pausedAt, startedOn } = enrolment
    const isResuming = isPaused === false && pausedAt !== null
    const restedDays = isResuming ? daysBetween(dateIn(zone, pausedAt), dateIn(zone, now)) : 0
    await tx
      .update(challengeEnrolments)
      .set({
        timeZone: zone,
        startedOn: dateAfter(startedOn, Math.max(0, restedDays)),
        pausedAt: isPaused === true ? (pausedAt ?? now) : isResuming ? null : pausedAt,
      })
      .where(eq(challengeEnrolments.id, enrolment.id))
  })
  return requireJoined(db, memberId, challengeId)
}

/** Completes an open day, even a missed one. Throws `conflict` for a day that is still to come. */
export async function completeDay(
  db: Database,
  memberId: string,
  challengeId: string,
  day: number,
): Promise<UserChallenge> {
  await db.transaction(async (tx) => {
    const enrolment = await lockEnrolment(tx, memberId, challengeId)
    const [challenge] = await tx.select().from(challenges).where(eq(challenges.id, challengeId))
    if (!challenge || day > challenge.totalDays) throw missingChallenge()
    const { openDays } = state(enrolment, challenge.totalDays)
    if (day > openDays)
      throw new AppError('conflict', `Day ${day} has not come yet. It is worth waiting for.`)
    await storeDays(tx, enrolment, challenge.totalDays, [day])
  })
  return requireJoined(db, memberId, challengeId)
}

/**
 * Completes the open days of the listener's challenges whose flow is this item; called when it was heard or read to its
 * end.
 */
export async function completeDaysOf(tx: Executor, memberId: string, storyId: string): Promise<void> {
  const rows = await tx
    .select({
      enrolment: challengeEnrolments,
      totalDays: challenges.totalDays,
      day: challengeFlows.day,
    })
    .from(challengeEnrolments)
    .innerJoin(challenges, eq(challenges.id, challengeEnrolments.challengeId))
    .innerJoin(challengeFlows, eq(challengeFlows.challengeId, challenges.id))
    .where(and(eq(challengeEnrolments.userId, memberId), eq(challengeFlows.storyId, storyId)))
    .for('update', { of: challengeEnrolments })
  for (const { enrolment, totalDays, day } of rows) {
    const isOpen = day <= state(enrolment, totalDays).openDays
    if (isOpen && !enrolment.completedDays[day]) await storeDays(tx, enrolment, totalDays, [day])
  }
}

async function storeDays(tx: Executor, enrolment: Enrolment, totalDays: number, days: readonly number[]) {
  const today = dateIn(enrolment.timeZone, new Date())
  const added = Object.fromEntries(
    days.filter((day) => !enrolment.completedDays[day]).map((day) => [day, today]),
  )
  // Merges with the days that another iteration in this transaction may have just added.
  const completedDays = sql`${challengeEnrolments.completedDays} || ${JSON.stringify(added)}::text::jsonb`
  await tx
    .update(challengeEnrolments)
    .set({ completedDays, completedAt: completedBy(completedDays, totalDays) })
    .where(eq(challengeEnrolments.id, enrolment.id))
}

/**
 * Updates whether the enrolments of a challenge are complete, now that it has so many days. All of them are written, so
 * that this waits for a concurrent `completeDay` that counts with the earlier number.
 */
export async function recountCompletion(tx: Executor, challengeId: string, totalDays: number): Promise<void> {
  await tx
    .update(challengeEnrolments)
    .set({ completedAt: completedBy(sql`${challengeEnrolments.completedDays}`, totalDays) })
    .where(eq(challengeEnrolments.challengeId, challengeId))
}

/**
 * When an enrolment with those days was completed: the earlier time if there is one, otherwise now; null while a day is
 * missing.
 */
function completedBy(days: SQL, totalDays: number): SQL {
  return sql`case when (${days}) ?& array(select generate_series(1, ${totalDays}::int)::text)
    then coalesce(${challengeEnrolments.completedAt}, now()) end`
}

type Enrolment = typeof challengeEnrolments.$inferSelect

function state({ timeZone, startedOn, completedDays, pausedAt }: Enrolment, totalDays: number) {
  const pausedOn = pausedAt && dateIn(timeZone, pausedAt)
  return stateOf({ totalDays, startedOn, completedDays, pausedOn }, dateIn(timeZone, new Date()))
}

function mine(memberId: string, challengeId: string) {
  return and(eq(challengeEnrolments.userId, memberId), eq(challengeEnrolments.challengeId, challengeId))
}

async function lockEnrolment(tx: Executor, memberId: string, challengeId: string): Promise<Enrolment> {
  if (!isId(challengeId)) throw missingChallenge()
  const [row] = await tx.select().from(challengeEnrolments).where(mine(memberId, challengeId)).for('update')
  if (!row) throw notJoined()
  return row
}

async function requireJoined(db: Executor, memberId: string, challengeId: string): Promise<UserChallenge> {
  const joined = await findUserChallenge(db, memberId, challengeId)
  if (!joined) throw notJoined()
  return joined
}

function notJoined(): AppError {
  return new AppError('not_found', 'You are not in this challenge. Join it first.')
}

function requireTimeZone(timeZone: string): void {
  if (isTimeZone(timeZone)) return
  throw invalidField('timeZone', 'Expected a time zone such as Europe/Berlin')
}

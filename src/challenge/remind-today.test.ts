import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, isNotNull, like, sql } from 'drizzle-orm'
import { challengeEnrolments, challenges, jobs, users } from '#db/schema'
import { pushKind } from '#src/push/queue'
import { testBrowserKeys } from '#src/push/testing'
import { memberBrowser, testApp } from '#src/testing/app'
import { remindOfToday } from './remind-today'
import { hourIn, needsReminder } from './rules'

const { app, services } = await testApp()
const { db } = services
const evening = new Date('2026-11-03T18:30:00Z')
let people = 0
beforeEach(async () => {
  await db.delete(jobs)
  await db.delete(challengeEnrolments)
})

type Enrolment = Partial<typeof challengeEnrolments.$inferInsert>

/**
 * Creates a member who is in a challenge of ten days since the first of November, and whose browser takes
 * notifications.
 */
async function newMember({ settings = {}, ...enrolment }: Enrolment & { settings?: object } = {}) {
  people += 1
  const who = await memberBrowser(app, `evening${people}@example.com`, `10.43.0.${people}`)
  const endpoint = `https://push.example.com/${people}`
  await who.call('/api/user/push', { json: { endpoint, keys: testBrowserKeys().keys } })
  await who.call('/api/user/settings', { method: 'PATCH', json: { autoPlayNext: true, ...settings } })
  const { id: userId } = who
  const [challenge] = await db
    .insert(challenges)
    .values({ name: 'Ten Breaths', totalDays: 10, publishedAt: new Date() })
    .returning()
  const challengeId = challenge?.id ?? ''
  const enrol = (more: Enrolment = {}) =>
    db.insert(challengeEnrolments).values({
      userId,
      challengeId,
      timeZone: 'Europe/Berlin',
      startedOn: '2026-11-01',
      ...enrolment,
      ...more,
    })
  await enrol()
  return { userId, challengeId, enrol }
}

const notifiedPaths = async () =>
  (await db.select().from(jobs).where(eq(jobs.kind, pushKind))).map(
    ({ payload }) => (payload as { path: string }).path,
  )

test('a member is notified of a newly opened day once per evening', async () => {
  const { challengeId } = await newMember()
  expect(await remindOfToday(services, evening)).toBe(1)
  expect(await notifiedPaths()).toEqual([`/challenge/${challengeId}`])
  await db.delete(jobs)
  expect(await remindOfToday(services, new Date('2026-11-03T20:30:00Z'))).toBe(0)
  expect(await remindOfToday(services, new Date('2026-11-04T18:30:00Z'))).toBe(1)
})

test('two servers checking at once send one notification', async () => {
  await newMember()
  const counts = await Promise.all([remindOfToday(services, evening), remindOfToday(services, evening)])
  expect(counts.toSorted()).toEqual([0, 1])
})

test('a member of two challenges gets one notification', async () => {
  const { enrol } = await newMember()
  const [other] = await db
    .insert(challenges)
    .values({ name: 'Five Walks', totalDays: 5, publishedAt: new Date() })
    .returning()
  await enrol({ challengeId: other?.id })
  expect(await remindOfToday(services, evening)).toBe(1)
  expect(await notifiedPaths()).toHaveLength(1)
})

test('a member of two challenges in two time zones gets one notification per evening', async () => {
  const { enrol } = await newMember()
  const [other] = await db
    .insert(challenges)
    .values({ name: 'Five Walks', totalDays: 5, publishedAt: new Date() })
    .returning()
  await enrol({ challengeId: other?.id, timeZone: 'UTC' })
  const bothZones = new Date('2026-11-03T19:30:00Z')
  const counts = await Promise.all([remindOfToday(services, bothZones), remindOfToday(services, bothZones)])
  expect(counts.toSorted()).toEqual([0, 1])
  await db
    .update(challengeEnrolments)
    .set({ completedAt: new Date() })
    .where(isNotNull(challengeEnrolments.notifiedOn))
  expect(await remindOfToday(services, bothZones)).toBe(0)
  expect(await notifiedPaths()).toHaveLength(1)
})

test('a challenge already done today does not suppress the reminder of another', async () => {
  const { enrol } = await newMember({ completedDays: { 3: '2026-11-03' } })
  const [other] = await db
    .insert(challenges)
    .values({ name: 'Five Walks', totalDays: 5, publishedAt: new Date() })
    .returning()
  await enrol({ challengeId: other?.id, timeZone: 'UTC', completedDays: {} })
  expect(await remindOfToday(services, evening)).toBe(0)
  expect(await remindOfToday(services, new Date('2026-11-03T19:30:00Z'))).toBe(1)
})

test('more than a thousand members are notified in one run', async () => {
  const { challengeId } = await newMember()
  const members = 1_100
  await db.execute(sql`
    with added as (
      insert into users (id, email) select gen_random_uuid(), 'many' || n || '@example.com'
      from generate_series(1, ${members}::int) as n returning id),
    settings as (insert into user_settings (user_id, push_notifications) select id, true from added)
    insert into challenge_enrolments (id, user_id, challenge_id, time_zone, started_on)
    select gen_random_uuid(), id, ${challengeId}, 'Europe/Berlin', '2026-11-01' from added`)
  expect(await remindOfToday(services, evening)).toBe(members + 1)
  expect(await remindOfToday(services, evening)).toBe(0)
  await db.delete(users).where(like(users.email, 'many%'))
})

test('reminders go out in the evening of the member’s own time zone', async () => {
  await newMember({ timeZone: 'Europe/Berlin' })
  await newMember({ timeZone: 'America/New_York' })
  expect(await remindOfToday(services, new Date('2026-11-03T17:59:00Z'))).toBe(0)
  expect(await remindOfToday(services, new Date('2026-11-03T18:00:00Z'))).toBe(1)
  expect(await remindOfToday(services, new Date('2026-11-03T21:00:00Z'))).toBe(0)
  expect(await remindOfToday(services, new Date('2026-11-04T01:00:00Z'))).toBe(1)
})

describe('no notification', () => {
  test.each<[string, Parameters<typeof newMember>[0]]>([
    ['who has notifications turned off', { settings: { pushNotifications: false } }],
    ['who has paused', { pausedAt: new Date('2026-11-02T12:00:00Z') }],
    ['who has done today’s flow', { completedDays: { 3: '2026-11-03' } }],
    ['who has completed the challenge', { completedAt: new Date('2026-11-02T12:00:00Z') }],
    ['whose last day has passed', { startedOn: '2026-10-20', completedDays: { 9: '2026-11-01' } }],
    ['who was notified earlier today', { notifiedOn: '2026-11-03' }],
  ])('for a member %s', async (_, enrolment) => {
    await newMember(enrolment)
    expect(await remindOfToday(services, evening)).toBe(0)
    expect(await notifiedPaths()).toEqual([])
  })

  test('for an unpublished challenge', async () => {
    const { challengeId } = await newMember()
    await db.update(challenges).set({ publishedAt: null }).where(eq(challenges.id, challengeId))
    expect(await remindOfToday(services, evening)).toBe(0)
  })
})

test('reminders stop after a week without a completed day', () => {
  const enrolment = { totalDays: 30, startedOn: '2026-11-01', completedDays: {}, pausedOn: null }
  expect(needsReminder(enrolment, '2026-11-08')).toBe(true)
  expect(needsReminder(enrolment, '2026-11-09')).toBe(false)
  const back = { ...enrolment, completedDays: { 2: '2026-11-12' } }
  expect(needsReminder(back, '2026-11-19')).toBe(true)
  expect(needsReminder(back, '2026-11-20')).toBe(false)
  expect(needsReminder(enrolment, '2026-10-31')).toBe(false)
})

test('hourIn follows the time zone and its daylight saving time', () => {
  expect(hourIn('Europe/Berlin', new Date('2026-07-01T22:30:00Z'))).toBe(0)
  expect(hourIn('Europe/Berlin', new Date('2026-12-01T22:30:00Z'))).toBe(23)
})

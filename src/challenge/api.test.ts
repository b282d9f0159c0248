import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, challengeEnrolments, challenges, stories } from '#db/schema'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { completeDaysOf } from './enrol'
import { listUserChallenges } from './queries'

const { app, services } = await testApp()
const { db } = services
const visitor = browser(app)
const mara = await memberBrowser(app, 'mara@example.com')
const ines = await memberBrowser(app, 'ines@example.com')
const operator = await operatorBrowser(app)
const items: string[] = []
for (const title of ['Warm Hands', 'A Slow Tide', 'Lantern Body Scan'])
  items.push((await publishTestItem(services, { title, type: 'flow', duration: 8 })).id)

beforeEach(async () => {
  await db.delete(challenges)
  await db.delete(auditLog)
})

const make = async (more: object = {}) =>
  (await operator.json('/api/challenges', {
    json: { name: 'Three Soft Evenings', description: 'Ease.', items, isPublished: true, ...more },
  })) as { id: string; isPublished: boolean; totalDays: number }
const join = (id: string, by = mara, timeZone = 'Europe/Berlin') =>
  by.json('/api/user/challenges', { json: { challengeId: id, timeZone } })
/** Moves the start of the enrolment back by so many days. */
const beganDaysAgo = async (days: number) => {
  const [row] = await db.select().from(challengeEnrolments)
  const startedOn = new Date(Date.parse(row?.startedOn ?? '') - days * 86_400_000).toISOString().slice(0, 10)
  await db.update(challengeEnrolments).set({ startedOn })
}

test('endpoints for members and for operators return 401 to everyone else', async () => {
  const { id } = await make()
  const day = `/api/user/challenges/${id}/days/1`
  const body = { json: { name: 'Mine', items: [] } }
  const table: [string, string, object, number, number, number][] = [
    ['GET', '/api/challenges', {}, 200, 200, 200],
    ['GET', `/api/challenges/${id}`, {}, 200, 200, 200],
    ['GET', '/api/user/challenges', {}, 401, 200, 401],
    ['POST', '/api/user/challenges', { json: { challengeId: id, timeZone: 'UTC' } }, 401, 201, 401],
    ['PATCH', `/api/user/challenges/${id}`, { json: { isPaused: false } }, 401, 200, 401],
    ['PUT', day, {}, 401, 200, 401],
    ['DELETE', `/api/user/challenges/${id}`, {}, 401, 200, 401],
    ['GET', '/api/admin/challenges', {}, 401, 401, 200],
    ['POST', '/api/challenges', body, 401, 401, 201],
    ['PUT', `/api/challenges/${id}`, body, 401, 401, 200],
    ['DELETE', `/api/challenges/${id}`, {}, 401, 401, 200],
  ]
  for (const [method, path, more, ...statuses] of table) {
    for (const [at, by] of [visitor, mara, operator].entries()) {
      const { status } = await by.call(path, { method, ...more })
      expect([method, path, at, status]).toEqual([method, path, at, statuses[at] ?? 0])
    }
  }
})

describe('challenge editor', () => {
  test('hides a draft, lists it once published, and records every change in the audit log', async () => {
    const { id } = await make({ isPublished: false })
    expect(await visitor.json('/api/challenges')).toEqual([])
    expect((await visitor.call(`/api/challenges/${id}`)).status).toBe(404)
    expect((await visitor.call(`/challenge/${id}`)).status).toBe(404)
    const json = { name: 'Two Evenings', items: items.slice(0, 2), isPublished: true }
    await operator.json(`/api/challenges/${id}`, { method: 'PUT', json })
    expect(await visitor.json('/api/challenges')).toMatchObject([
      {
        id,
        name: 'Two Evenings',
        totalDays: 2,
        minutes: 16,
        days: [
          { day: 1, title: 'Warm Hands' },
          { day: 2, title: 'A Slow Tide' },
        ],
      },
    ])
    await operator.json(`/api/challenges/${id}`, { method: 'DELETE' })
    const log = await db.select().from(auditLog).orderBy(auditLog.id)
    expect(log.map(({ action, actor }) => [action, actor])).toEqual([
      ['create', 'Ada'],
      ['edit', 'Ada'],
      ['remove', 'Ada'],
    ])
  })

  test('names the day of an unknown item, and creates nothing that is invalid', async () => {
    const bad = await operator.json('/api/challenges', {
      json: { name: 'Bad', items: [items[0], 'no item'] },
    })
    expect(bad).toMatchObject({
      message: 'Day 2 names no item of the library.',
      fields: [{ path: 'items/1' }],
    })
    const empty = await operator.call('/api/challenges', {
      json: { name: 'Empty', items: [], isPublished: true },
    })
    expect(empty.status).toBe(422)
    const blocked = await operator.call('/api/challenges', {
      json: { name: 'Some age play', items: [] },
    })
    expect(blocked.status).toBe(422)
    expect(await operator.json('/api/admin/challenges')).toEqual([])
  })
})

describe('enrolment', () => {
  test('is created once, with day 1 due today', async () => {
    const { id } = await make()
    expect(await join(id)).toMatchObject({
      id,
      name: 'Three Soft Evenings',
      currentDay: 1,
      totalDays: 3,
      isToday: true,
      doneDays: 0,
    })
    await mara.json(`/api/user/challenges/${id}/days/1`, { method: 'PUT' })
    expect(await join(id, mara, 'Asia/Tokyo')).toMatchObject({ doneDays: 1, timeZone: 'Europe/Berlin' })
    expect(await ines.json('/api/user/challenges')).toEqual([])
    expect((await join(id, mara, 'Mars/Olympus')).fields).toEqual([
      { path: 'timeZone', message: 'Expected a time zone such as Europe/Berlin' },
    ])
  })

  test('cannot complete future days, catches up on missed ones, and is complete when all are done', async () => {
    const { id } = await make()
    await join(id)
    const complete = (day: number) => mara.call(`/api/user/challenges/${id}/days/${day}`, { method: 'PUT' })
    expect((await complete(2)).status).toBe(409)
    expect((await complete(4)).status).toBe(404)
    await beganDaysAgo(2)
    expect((await complete(3)).status).toBe(200)
    expect((await mara.json('/api/user/challenges'))[0]).toMatchObject({
      currentDay: 1,
      doneDays: 1,
      openDays: 3,
      completedDays: [3],
    })
    await complete(1)
    expect(await (await complete(2)).json()).toMatchObject({ isComplete: true, nextFlowDate: null })
    const [row] = await db.select().from(challengeEnrolments)
    expect(row?.completedAt).toBeInstanceOf(Date)
  })

  test('opens no days while it is paused', async () => {
    const { id } = await make()
    await join(id, mara, 'UTC')
    const change = (isPaused: boolean) =>
      mara.json(`/api/user/challenges/${id}`, { method: 'PATCH', json: { isPaused } })
    await change(true)
    await beganDaysAgo(2)
    await db.update(challengeEnrolments).set({ pausedAt: new Date(Date.now() - 2 * 86_400_000) })
    expect((await mara.json('/api/user/challenges'))[0]).toMatchObject({ isPaused: true, openDays: 1 })
    expect(await change(false)).toMatchObject({ isPaused: false, openDays: 1, isToday: true })
  })

  test('completes a day when its flow is heard to the end', async () => {
    const { id } = await make()
    await join(id)
    const report = { contentId: items[0], contentType: 'flow', lastPositionSec: 480, totalSec: 480 }
    await mara.json('/api/analytics/progress', { json: { ...report, reason: 'pause' } })
    expect((await mara.json('/api/user/challenges'))[0]).toMatchObject({ doneDays: 0 })
    await mara.json('/api/analytics/progress', { json: { ...report, completed: true, reason: 'end' } })
    expect((await mara.json('/api/user/challenges'))[0]).toMatchObject({ doneDays: 1, currentDay: 2 })
    const [me] = await db.select().from(challengeEnrolments)
    await db.transaction((tx) => completeDaysOf(tx, me?.userId ?? '', items[1] ?? ''))
    expect(await listUserChallenges(db, me?.userId ?? '')).toMatchObject([{ doneDays: 1 }])
  })

  test('lists its flows in My Content until the member leaves', async () => {
    const { id } = await make()
    await join(id)
    expect(await mara.json('/api/user/content')).toMatchObject([
      { isChallengeFlow: true, challengeName: 'Three Soft Evenings', challengeDay: 1 },
    ])
    await mara.json(`/api/user/challenges/${id}`, { method: 'DELETE' })
    expect(await mara.json('/api/user/challenges')).toEqual([])
    expect(await mara.json('/api/user/content')).toEqual([])
  })

  test('works without JavaScript', async () => {
    const { id } = await make()
    const path = `/challenge/${id}`
    expect((await visitor.call(path, { form: { act: 'join' } })).headers.get('location')).toStartWith(
      '/sign-in',
    )
    for (const form of [{ act: 'join' }, { act: 'done', day: '1' }, { act: 'pause' }] as Record<
      string,
      string
    >[])
      expect((await mara.call(path, { form })).status).toBe(303)
    const html = await (await mara.call(path)).text()
    expect(html).toContain('Paused, 1 of 3 days done')
    expect(await (await mara.call('/challenges')).text()).toContain('Three Soft Evenings')
  })
})

test('the day of an unpublished item reveals nothing except to operators', async () => {
  const { id } = await make()
  const isOf = eq(stories.id, items[1] ?? '')
  for (const status of ['draft', 'scheduled', 'held', 'removed'] as const) {
    await db.update(stories).set({ status }).where(isOf)
    for (const by of [visitor, mara])
      for (const path of ['/api/challenges', `/api/challenges/${id}`, '/challenges', `/challenge/${id}`]) {
        const text = await (await by.call(path)).text()
        for (const secret of ['A Slow Tide', 'a-slow-tide', items[1] ?? ''])
          expect(text).not.toContain(secret)
      }
    const away = { day: 2, title: 'Not in the library now', isAvailable: false, duration: 8 }
    expect(await visitor.json(`/api/challenges/${id}`)).toMatchObject({ days: [{}, away, {}] })
    const seen = { title: 'A Slow Tide', slug: 'a-slow-tide', id: items[1], isAvailable: false }
    expect(await operator.json('/api/admin/challenges')).toMatchObject([{ days: [{}, seen, {}] }])
  }
  await db.update(stories).set({ status: 'published' }).where(isOf)
})

test('a challenge lists only its own days', async () => {
  const { id } = await make()
  await make({ name: 'One Evening', items: items.slice(2) })
  expect((await visitor.json(`/api/challenges/${id}`)).days).toHaveLength(3)
  const all: { name: string; days: unknown[] }[] = await visitor.json('/api/challenges')
  expect(all.map(({ name, days }) => [name, days.length])).toEqual([
    ['One Evening', 1],
    ['Three Soft Evenings', 3],
  ])
})

describe('completion of a challenge', () => {
  const completedAt = async () => (await db.select().from(challengeEnrolments))[0]?.completedAt
  const edit = (id: string, days: readonly string[]) =>
    operator.json(`/api/challenges/${id}`, {
      method: 'PUT',
      json: { name: 'It', items: days, isPublished: true },
    })

  test('happens when one flow is its last two days', async () => {
    const { id } = await make({ items: [items[0], items[0]] })
    await join(id)
    await beganDaysAgo(2)
    const report = { contentId: items[0], contentType: 'flow', lastPositionSec: 480, completed: true }
    await mara.json('/api/analytics/progress', { json: report })
    expect((await mara.json('/api/user/challenges'))[0]).toMatchObject({ isComplete: true })
    expect(await completedAt()).toBeInstanceOf(Date)
  })

  test('is revoked when the challenge grows and granted when it shrinks', async () => {
    const { id } = await make({ items: items.slice(0, 1) })
    await join(id)
    await mara.call(`/api/user/challenges/${id}/days/1`, { method: 'PUT' })
    const first = await completedAt()
    expect(first).toBeInstanceOf(Date)
    await edit(id, items.slice(1, 2))
    expect(await completedAt()).toEqual(first)
    await edit(id, items)
    expect(await completedAt()).toBeNull()
    await edit(id, items.slice(0, 1))
    expect(await completedAt()).toBeInstanceOf(Date)
  })
})

test('a removed flow still counts as a day, and its challenge stays editable', async () => {
  const { id } = await make()
  await db
    .update(stories)
    .set({ status: 'removed' })
    .where(eq(stories.id, items[0] ?? ''))
  await join(id)
  expect(await mara.json(`/api/challenges/${id}`)).toMatchObject({ days: [{ isAvailable: false }, {}, {}] })
  expect((await mara.call(`/api/user/challenges/${id}/days/1`, { method: 'PUT' })).status).toBe(200)
  const renamed = { name: 'Three Softer Evenings', items, isPublished: true }
  expect(await operator.json(`/api/challenges/${id}`, { method: 'PUT', json: renamed })).toMatchObject({
    name: 'Three Softer Evenings',
    totalDays: 3,
  })
  expect((await operator.call('/api/challenges', { json: renamed })).status).toBe(422)
  await db
    .update(stories)
    .set({ status: 'published' })
    .where(eq(stories.id, items[0] ?? ''))
})

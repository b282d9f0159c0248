import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { jobs } from '#db/schema'
import { priorities } from '#src/job/rules'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { narrateWithTone } from '#src/testing/browser'
import { enqueueNarration } from '../enqueue'
import { prioritizedMax } from '../rules'

const { app, services } = await testApp()
const { db } = services
const people = {
  visitor: browser(app),
  member: await memberBrowser(app, 'mara@example.com'),
  'other member': await memberBrowser(app, 'noor@example.com'),
  operator: await operatorBrowser(app),
}
const item = await publishTestItem(services, { title: 'Lantern' })
const sample = await publishTestItem(services, { title: 'Sample', isFree: true })
const draft = await publishTestItem(services, { title: 'Draft', status: 'draft' })

const prioritize = async (who: keyof typeof people, id: string, voice = 'female') => {
  const response = await people[who].call(`/api/premium-audio/${id}/${voice}/prioritize`, { json: {} })
  return { status: response.status, body: await response.json() }
}
const priorityOf = async (storyId: string) =>
  (await db.select({ priority: jobs.priority }).from(jobs).where(eq(jobs.storyId, storyId)))[0]?.priority

beforeEach(async () => {
  await db.delete(jobs)
  await db.execute(sql`delete from throttles`)
  for (const { id } of [item, sample, draft])
    await enqueueNarration(db, id, 'female', { priority: priorities.background })
})

describe('prioritizing a waiting narration', () => {
  test.each([
    ['visitor', 'an item', item, 403, priorities.background],
    ['visitor', 'a free sample', sample, 200, priorities.listener],
    ['visitor', 'a draft', draft, 403, priorities.background],
    ['member', 'an item', item, 200, priorities.listener],
    ['other member', 'an item', item, 200, priorities.listener],
    ['member', 'a draft', draft, 404, priorities.background],
    ['operator', 'a draft', draft, 200, priorities.listener],
  ] as const)('requires access: a %s and %s', async (who, _, { id }, status, priority) => {
    const answer = await prioritize(who, id)
    expect(answer.status).toBe(status)
    if (status === 200) expect(answer.body).toEqual({ state: 'waiting' })
    expect(await priorityOf(id)).toBe(priority)
  })

  test('keeps the higher priority of a requested narration', async () => {
    await db.update(jobs).set({ priority: 10 }).where(eq(jobs.storyId, item.id))
    expect((await prioritize('member', item.id)).body).toEqual({ state: 'waiting' })
    expect(await priorityOf(item.id)).toBe(10)
  })

  test('returns 404 and queues nothing when no narration waits in that voice', async () => {
    expect((await prioritize('member', item.id, 'male')).status).toBe(404)
    await db.update(jobs).set({ state: 'cancelled' })
    expect((await prioritize('member', item.id)).status).toBe(404)
    expect((await prioritize('member', crypto.randomUUID())).status).toBe(404)
    expect((await prioritize('member', 'no id')).status).toBe(404)
    expect(await db.$count(jobs)).toBe(3)
  })

  test('answers “ready” when the narration exists', async () => {
    const spoken = await publishTestItem(services, { title: 'Spoken' })
    await narrateWithTone(services, spoken.id, 1)
    expect((await prioritize('member', spoken.id)).body).toEqual({ state: 'ready' })
  })

  test('is rate-limited per address', async () => {
    for (let at = 0; at < prioritizedMax; at += 1) await prioritize('member', item.id)
    expect((await prioritize('member', item.id)).status).toBe(429)
  })
})

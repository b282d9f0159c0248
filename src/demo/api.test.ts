import { beforeAll, describe, expect, test } from 'bun:test'
import { and, eq, inArray, notInArray } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { lock } from '#db/locks'
import { auditLog, challenges, favorites, jobs, stories } from '#db/schema'
import { priorities } from '#src/job/rules'
import { editItem } from '#src/library/edit'
import { removeItem } from '#src/library/remove'
import { commitMeanwhile } from '#src/library/testing'
import { enqueueNarration } from '#src/narration/enqueue'
import { publish } from '#src/story/publish'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { narrateWithTone } from '#src/testing/browser'
import { seedDemo } from './seed'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
const member = await memberBrowser(app, 'mara@example.com')

const idOf = async (title: string) =>
  (await db.select({ id: stories.id }).from(stories).where(eq(stories.title, title)))[0]?.id ?? ''
const statusOf = async (title: string) =>
  (await db.select({ status: stories.status }).from(stories).where(eq(stories.title, title)))[0]?.status
const remove = () => operator.call('/api/demo', { method: 'DELETE', json: {} })
const bringBack = () => operator.call('/api/demo/restore', { json: {} })

test('visitors and members cannot view, remove or restore the demo library', async () => {
  for (const each of [browser(app), member]) {
    expect((await each.call('/api/demo')).status).toBe(401)
    expect((await each.call('/api/demo', { method: 'DELETE', json: {} })).status).toBe(401)
    expect((await each.call('/api/demo/restore', { json: {} })).status).toBe(401)
  }
})

test('removing and restoring return 409 when there is no demo library', async () => {
  expect(await operator.json('/api/demo')).toMatchObject({
    stories: 0,
    flows: 0,
    challenges: 0,
    takenAway: 0,
  })
  expect((await remove()).status).toBe(409)
  expect((await bringBack()).status).toBe(409)
})

/** A demo item that has a narration. */
const heard = 'Lantern Body Scan'

describe('demo library', () => {
  beforeAll(async () => {
    await db.delete(auditLog)
    await seedDemo(db)
    await publishTestItem(services, { title: 'Our Own' })
    await editItem(db, await idOf('Salt Air'), { description: 'Ours now.' }, 'Ada')
    await removeItem(db, await idOf('The Third Knot'), 'Ada')
    const { id: userId } = member
    await db.insert(favorites).values({ storyId: await idOf('The Night Ferry'), userId })
    await enqueueNarration(db, await idOf('The Night Ferry'), 'female')
    await narrateWithTone(services, await idOf(heard), 1)
    await operator.json('/api/challenges', {
      json: { name: 'Ours', description: '', items: [await idOf('Warm Hands')], isPublished: true },
    })
  })

  test('is removed at once, except for items that operators changed or use', async () => {
    const before = await operator.json('/api/demo')
    expect(before.kept.map(({ title, reason }: Record<string, string>) => `${title}: ${reason}`)).toEqual([
      'Salt Air: It was changed since.',
      'Warm Hands: A challenge of yours has a day for it.',
    ])
    expect(before).toMatchObject({ challenges: 2, takenAway: 0 })
    const after = await (await remove()).json()
    expect(after).toMatchObject({ stories: 0, flows: 0, challenges: 0, kept: before.kept })
    expect(after.takenAway).toBe(before.stories + before.flows)
    for (const title of ['Our Own', 'Salt Air', 'Warm Hands']) expect(await statusOf(title)).toBe('published')
    expect(await statusOf('The Night Ferry')).toBe('removed')
    const shown = await db
      .select()
      .from(challenges)
      .where(inArray(challenges.name, ['Ours', 'Three Slow Days']))
    expect(shown.filter(({ publishedAt }) => publishedAt !== null).map(({ name }) => name)).toEqual(['Ours'])
    const [job] = await db
      .select()
      .from(jobs)
      .where(eq(jobs.storyId, await idOf('The Night Ferry')))
    expect(job?.state).toBe('cancelled')
    expect((await operator.json('/api/audit?limit=1'))[0]).toMatchObject({
      sentence: 'removed the demo library',
      items: after.takenAway,
    })
    expect((await remove()).status).toBe(409)
  })

  test('is restored with members’ favourites, without items that were removed one by one', async () => {
    const state = await (await bringBack()).json()
    expect(state).toMatchObject({ challenges: 2, takenAway: 0 })
    expect(await statusOf('The Night Ferry')).toBe('published')
    expect(await statusOf('The Third Knot')).toBe('removed')
    expect(await db.$count(favorites)).toBe(1)
    expect((await bringBack()).status).toBe(409)
    // Restored items do not count as changed by an operator.
    expect(state.stories + state.flows).toBeGreaterThan(20)
  })

  test('restores no item whose title exists again, until the newer one is removed', async () => {
    await remove()
    const [lake, rain] = ['A Slow Tide', 'Rain on the Skylight']
    const idsOf = await Promise.all([lake, rain].map(idOf))
    const again = await publishTestItem(services, { title: lake, type: 'flow' })
    const importSame = async (tx: Transaction) => {
      await lock(tx, 'imports')
      await publish(tx, { title: rain, content: 'It rained.', type: 'flow', categories: [] })
    }
    const back = await commitMeanwhile(db, importSame, bringBack)
    expect(await back.json()).toMatchObject({ takenAway: 2 })
    const stay = () => db.$count(stories, and(inArray(stories.id, idsOf), eq(stories.status, 'removed')))
    expect(await stay()).toBe(2)
    const refused = await bringBack()
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'already_exists'])
    await removeItem(db, again.id, 'Ada')
    await db.delete(stories).where(and(eq(stories.title, rain), notInArray(stories.id, idsOf)))
    expect(await (await bringBack()).json()).toMatchObject({ takenAway: 0 })
    expect(await stay()).toBe(0)
  })

  test('has items without audio narrated again at background priority', async () => {
    const queued = await db
      .select({ title: stories.title, priority: jobs.priority })
      .from(jobs)
      .innerJoin(stories, eq(stories.id, jobs.storyId))
      .where(eq(jobs.state, 'queued'))
    const titles = queued.map(({ title }) => title)
    expect(titles).toContain('The Night Ferry')
    for (const other of ['Our Own', 'The Third Knot', heard]) expect(titles).not.toContain(other)
    expect(new Set(queued.map(({ priority }) => priority))).toEqual(new Set([priorities.background]))
  })
})

import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, stories } from '#db/schema'
import { browser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { publishDue } from './publish-due'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)

const titles = async () => {
  const items: { title: string }[] = await browser(app).json('/api/content')
  return items.map(({ title }) => title)
}

test('a scheduled item is published once when it is due, and appears in lists', async () => {
  const past = new Date(Date.now() - 60_000)
  const { id } = await publishTestItem(services, { title: 'Now', status: 'scheduled', publishedAt: past })
  await publishTestItem(services, {
    title: 'Later',
    status: 'scheduled',
    publishedAt: new Date('2030-01-05'),
  })
  await publishTestItem(services, { title: 'Never', status: 'draft', publishedAt: past })
  expect(await titles()).toEqual([])
  expect(await publishDue(db)).toBe(1)
  expect(await publishDue(db)).toBe(0)
  expect(await titles()).toEqual(['Now'])
  expect(await db.select().from(auditLog).where(eq(auditLog.subjectId, id))).toMatchObject([
    { actor: 'nocturne', action: 'publish', before: { status: 'scheduled' } },
  ])
})

test('publishing a scheduled item early sets its publication time to now', async () => {
  const publishedAt = new Date('2030-01-05')
  const { id } = await publishTestItem(services, { title: 'Early', status: 'scheduled', publishedAt })
  await operator.call(`/api/premium-content/${id}`, { method: 'PUT', json: { status: 'published' } })
  const [item] = await db.select().from(stories).where(eq(stories.id, id))
  expect(item?.status).toBe('published')
  expect(item?.publishedAt.getTime()).toBeLessThanOrEqual(Date.now())
})

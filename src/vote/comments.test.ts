import { describe, expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import { auditLog, itemTotals, stories, storyFeedback, users } from '#db/schema'
import { browser, markupOf, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import type { Comment } from './schema'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
const visitor = browser(app)
const members = await Promise.all(
  ['ana', 'ben', 'cleo'].map((name, at) => memberBrowser(app, `${name}@example.com`, `10.80.0.${at}`)),
)
const [ana = visitor, ben = visitor] = members

const postComment = async (who: typeof ana, id: string, json: object) =>
  expect((await who.call(`/api/stories/${id}/feedback`, { json })).status).toBe(200)
const listOf = async (query: string) => (await operator.json(`/api/feedback?${query}`)) as Comment[]
const remove = (who: typeof ana, id: string) =>
  who.call(`/api/feedback/${id}`, { method: 'DELETE', json: {} })

describe('comment list', () => {
  test('contains comments and tags with their item in pages, newest first, without bare ratings', async () => {
    const [lamp, ferry] = [
      await publishTestItem(services),
      await publishTestItem(services, { title: 'Ferry' }),
    ]
    await postComment(ana, lamp.id, { rating: 5, comments: 'Warm.' })
    await postComment(ben, lamp.id, { rating: 2 })
    await postComment(ben, ferry.id, { rating: 3, tags: ['The pace'] })
    await postComment(ana, ferry.id, { rating: 4, comments: 'Salt.', tags: ['The voice'] })
    const summaryOf = ({ comments, tags, rating, item }: Comment) => [item.title, rating, comments, tags]
    const all = [
      ['Ferry', 4, 'Salt.', ['The voice']],
      ['Ferry', 3, '', ['The pace']],
      ['The Lamp', 5, 'Warm.', []],
    ]
    const first = await operator.call('/api/feedback?limit=2')
    expect(first.headers.get('x-total-count')).toBe('3')
    expect(((await first.json()) as Comment[]).map(summaryOf)).toEqual(all.slice(0, 2))
    const next = first.headers.get('link')?.match(/<http:\/\/localhost:3000([^>]+)>; rel="next"/)?.[1] ?? ''
    const second = await operator.call(next)
    expect(second.headers.get('link')).toBeNull()
    expect(((await second.json()) as Comment[]).map(summaryOf)).toEqual(all.slice(2))
    expect((await listOf(`item=${lamp.id}`)).map(summaryOf)).toEqual(all.slice(2))
    expect(await listOf('item=nothing')).toEqual([])
    expect((await operator.call('/api/feedback?cursor=nonsense')).status).toBe(422)
    const page = await markupOf(await operator.call(`/feedback?item=${ferry.id}`))
    expect(page).toContain('Salt.')
    expect(page).not.toContain('Warm.')
  })

  test('names no member, neither by id nor by email or name', async () => {
    const { id } = await ana.json('/api/auth/user')
    await db.update(users).set({ firstName: 'Anastasia' }).where(eq(users.id, id))
    await postComment(ana, (await publishTestItem(services)).id, { rating: 5, comments: 'It was kind.' })
    for (const path of ['/api/feedback', '/feedback']) {
      const list = await (await operator.call(path)).text()
      expect(list).toContain('It was kind.')
      for (const word of [id, 'ana@example.com', 'Anastasia']) expect(list).not.toContain(word)
    }
  })

  test('loses a removed comment for good, while its rating and an audit entry without its text remain', async () => {
    const { id } = await publishTestItem(services, { title: 'Reeds' })
    await postComment(ana, id, { rating: 1, comments: 'Something unkind.', tags: ['The ending'] })
    const [comment] = await listOf(`item=${id}`)
    expect((await remove(operator, comment?.id ?? '')).status).toBe(200)
    expect(await listOf(`item=${id}`)).toEqual([])
    const [row] = await db.select().from(storyFeedback).where(eq(storyFeedback.storyId, id))
    expect(row).toMatchObject({ rating: 1, comments: null, tags: [] })
    const [sums] = await db.select().from(itemTotals).where(eq(itemTotals.storyId, id))
    expect(sums).toMatchObject({ ratings: 1, ratingSum: 1 })
    const [change] = await db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
    expect(change).toMatchObject({
      actor: 'Ada',
      action: 'remove',
      subjectType: 'feedback',
      subjectId: comment?.id,
      before: { item: 'Reeds', rating: 1, characters: 17, tags: 1 },
    })
    expect(JSON.stringify(change)).not.toContain('unkind')
    expect((await remove(operator, comment?.id ?? '')).status).toBe(404)
    await postComment(ana, id, { rating: 2, comments: 'A kinder word.' })
    expect(await listOf(`item=${id}`)).toHaveLength(1)
  })

  test('contains comments on removed items', async () => {
    const { id } = await publishTestItem(services, { title: 'Gone' })
    await postComment(ana, id, { rating: 3, comments: 'I liked it.' })
    await db.update(stories).set({ status: 'removed' }).where(eq(stories.id, id))
    expect(await listOf(`item=${id}`)).toHaveLength(1)
  })

  test('returns 401 to visitors and members, who can remove nothing either', async () => {
    const { id } = await publishTestItem(services, { title: 'Private' })
    await postComment(ana, id, { rating: 3, comments: 'For the studio.' })
    const [comment] = await listOf(`item=${id}`)
    for (const who of [visitor, ana, ben]) {
      expect((await who.call('/api/feedback')).status).toBe(401)
      expect((await remove(who, comment?.id ?? '')).status).toBe(401)
      const page = await markupOf(await who.call('/feedback'))
      expect(page).toContain('Admin Access')
      expect(page).not.toContain('For the studio.')
    }
    expect(await listOf(`item=${id}`)).toHaveLength(1)
    for (const wrong of ['nothing', '019c0000-0000-7000-8000-000000000001'])
      expect((await remove(operator, wrong)).status).toBe(404)
  })
})

import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { jobs, stories } from '#db/schema'
import { testModelServer } from '#src/model/testing'
import { addGuideline } from '#src/review/change-guideline'
import { memberBrowser, testApp } from '#src/testing/app'

/** Tests changes made while a text is judged: they happen before the endpoint responds. */
const endpoint = testModelServer()
const { app, services } = await testApp({
  OPENAI_BASE_URL: endpoint.url,
  OPENAI_API_KEY: 'sk-canary-canary',
  MODERATION_MODEL: 'omni-moderation-latest',
})
const { db } = services
const ana = await memberBrowser(app, 'ana@example.com')
const ben = await memberBrowser(app, 'ben@example.com')
await addGuideline(db, { keywords: ['moonshine'], severity: 'high' }, 'Ada')

const clean = () => Response.json({ results: [{ flagged: false, categories: {} }] })
const flagged = () => Response.json({ results: [{ flagged: true, categories: { hate: true } }] })
/** Runs `act` once, before the next judgement is answered. */
function meanwhile(act: () => Promise<Response>): { done: Promise<Response> } {
  const { promise: done, resolve } = Promise.withResolvers<Response>()
  endpoint.state.answer = async () => {
    endpoint.state.answer = clean
    resolve(await act())
    return clean()
  }
  return { done }
}

const draft = { title: 'The Orchard', content: 'It belonged to nobody.', categories: ['romantic'] }
const make = async (): Promise<string> => (await ana.json('/api/user/content', { json: draft })).id
const at = (id: string, end = '') => `/api/user/content/${id}${end}`
const edit = (id: string, json: object) => ana.call(at(id), { method: 'PUT', json })
const share = (id: string) => ana.call(at(id, '/share'), { method: 'POST', json: {} })
const unshare = (id: string) => ana.call(at(id, '/share'), { method: 'DELETE' })
const narrate = (id: string) => ana.call(at(id, '/narrate'), { method: 'POST', json: {} })
const rowOf = async (id: string) => (await db.select().from(stories).where(eq(stories.id, id)))[0]

beforeEach(async () => {
  endpoint.state.answer = clean
  await db.execute(
    sql`truncate throttles; delete from jobs; delete from stories; truncate guideline_decisions`,
  )
})

describe('change made while a text is being judged', () => {
  test('holds the changed text when the item is shared meanwhile', async () => {
    const id = await make()
    const shared = meanwhile(() => share(id))
    expect(await (await edit(id, { content: 'It belonged to somebody.' })).json()).toMatchObject({
      state: 'waiting',
    })
    expect((await shared.done).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ status: 'held', content: 'It belonged to somebody.' })
    expect((await ben.call(`/api/content/${id}`)).status).toBe(404)
  })

  test('merges with a concurrent change, and keeps the hold of either', async () => {
    const id = await make()
    const other = meanwhile(() => edit(id, { content: 'They drank moonshine.' }))
    expect((await edit(id, { title: 'Halves' })).status).toBe(200)
    expect((await other.done).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({
      title: 'Halves',
      content: 'They drank moonshine.',
      status: 'held',
    })
  })

  test('keeps a held text held when sharing is withdrawn meanwhile', async () => {
    const id = await make()
    await share(id)
    const taken = meanwhile(() => unshare(id))
    expect((await edit(id, { content: 'They drank moonshine.' })).status).toBe(200)
    expect((await taken.done).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ status: 'held', isShared: false })
  })

  test('is rejected with 409 when the item keeps changing, and changes nothing', async () => {
    const id = await make()
    let changes = 0
    endpoint.state.answer = async () => {
      changes += 1
      await db
        .update(stories)
        .set({ content: `Change ${changes}.` })
        .where(eq(stories.id, id))
      return clean()
    }
    expect((await edit(id, { title: 'Halves' })).status).toBe(409)
    expect(await rowOf(id)).toMatchObject({ title: 'The Orchard', content: `Change ${changes}.` })
  })
})

describe('narration of a shared text', () => {
  test('is rejected while a guideline holds the text', async () => {
    const id = await make()
    await share(id)
    await edit(id, { content: 'They drank moonshine.' })
    expect((await narrate(id)).status).toBe(409)
    expect(await db.$count(jobs)).toBe(0)
  })

  test('is rejected while the moderation endpoint holds the text, even after sharing is withdrawn', async () => {
    const id = await make()
    await share(id)
    endpoint.state.answer = flagged
    await edit(id, { content: 'It was theirs alone.' })
    endpoint.state.answer = clean
    expect((await narrate(id)).status).toBe(409)
    await unshare(id)
    expect(await rowOf(id)).toMatchObject({ status: 'held', isShared: false })
    expect((await narrate(id)).status).toBe(409)
  })

  test('is allowed while the text only waits for approval', async () => {
    const id = await make()
    await share(id)
    expect((await narrate(id)).status).toBe(201)
  })
})

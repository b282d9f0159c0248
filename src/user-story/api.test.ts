import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { guidelineDecisions, jobs, stories, trainingData } from '#db/schema'
import { chatAnswer, testModelServer } from '#src/model/testing'
import { addGuideline } from '#src/review/change-guideline'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { narrateWithTone } from '#src/testing/browser'
import { setChallenge } from './testing'

const model = testModelServer()
const { app, services } = await testApp({
  OPENAI_BASE_URL: model.url,
  OPENAI_API_KEY: 'sk-canary-canary',
  MEMBER_NARRATIONS_A_DAY: '2',
  MEMBER_DRAFTS_A_DAY: '2',
  MEMBER_WORDS_MAX: '100',
})
const { db } = services
const ana = await memberBrowser(app, 'ana@example.com')
const ben = await memberBrowser(app, 'ben@example.com')
const ada = await operatorBrowser(app)
const visitor = browser(app)
const anaId: string = (await ana.json('/api/auth/user')).id

const draft = { title: 'The Orchard', content: 'It belonged to nobody.', categories: ['romantic'] }
const make = (who: Omit<typeof ana, 'id'>, more: object = {}) =>
  who.call('/api/user/content', { json: { ...draft, ...more } })
const made = async (more: object = {}): Promise<{ id: string; slug: string }> =>
  (await make(ana, more)).json()
const at = (id: string, end = '') => `/api/user/content/${id}${end}`
const rowOf = async (id: string) => (await db.select().from(stories).where(eq(stories.id, id)))[0]
const contentOf = (who: typeof ana) => who.json('/api/user/content')
const review = (id: string, decision: string, reason?: string) =>
  ada.call(`/api/held-content/${id}`, { method: 'PATCH', json: { decision, reason } })
await addGuideline(db, { keywords: ['moonshine'], severity: 'high', description: 'Drink comes in' }, 'Ada')
await addGuideline(db, { keywords: ['midnight'], severity: 'low', description: 'Say how late it is' }, 'Ada')

beforeEach(async () => {
  await db.execute(
    sql`truncate throttles; delete from jobs; delete from stories; truncate guideline_decisions`,
  )
})

describe('own item', () => {
  test('is created and listed for its member, and returns 404 for everyone else', async () => {
    const response = await make(ana, { voice: 'serena' })
    expect(response.status).toBe(201)
    const item = await response.json()
    expect(item).toMatchObject({
      title: 'The Orchard',
      source: 'user_generated',
      isOwn: true,
      state: 'private',
      voice: 'female',
      narrator: 'serena',
      duration: 1,
      audioUrl: null,
      isChallengeFlow: false,
      isGenerating: false,
      warnings: [],
    })
    expect(await contentOf(ana)).toMatchObject([{ id: item.id, content: 'It belonged to nobody.' }])
    expect(await contentOf(ben)).toEqual([])
    for (const path of [`/story/${item.slug}`, `/api/content/${item.id}`]) {
      expect((await ana.call(path)).status).toBe(200)
      for (const who of [ben, visitor, ada]) expect((await who.call(path)).status).toBe(404)
    }
    expect(await (await ana.call(`/story/${item.slug}`)).text()).toContain('noindex')
  })

  test('is edited, and its deletion removes its queued narration', async () => {
    const { id } = await made({ narrate: true })
    expect(await ana.json(at(id), { method: 'PUT', json: { title: 'Halves', voice: 'adam' } })).toMatchObject(
      {
        title: 'Halves',
        content: 'It belonged to nobody.',
        voice: 'male',
        narrator: 'adam',
      },
    )
    expect((await ana.call(at(id), { method: 'DELETE' })).status).toBe(200)
    expect(await rowOf(id)).toBeUndefined()
    expect(await db.$count(jobs)).toBe(0)
    expect((await ana.call(at(id), { method: 'DELETE' })).status).toBe(404)
  })

  test('is not overwritten by a form opened before the last change', async () => {
    const { id } = await made()
    const form = await (await ana.call(`/create?edit=${id}`)).text()
    const seen = /name="seen" value="([^"]+)"/.exec(form)?.[1] ?? ''
    expect(await ana.json(at(id))).toMatchObject({ title: 'The Orchard', updatedAt: seen })
    const send = (title: string) =>
      ana.call('/create', {
        form: { edit: id, seen, title, content: 'Typed.', categories: 'romantic', voice: 'rachel' },
      })
    expect((await send('First')).status).toBe(303)
    const refused = await send('Second')
    expect(refused.status).toBe(412)
    expect(await refused.text()).toContain('value="Second"')
    expect(await ana.json(at(id))).toMatchObject({ title: 'First' })
  })

  test.each([
    [{ title: ' ' }, 'title'],
    [{ content: '' }, 'content'],
    [{ categories: [] }, 'categories'],
    [{ categories: ['cats'] }, 'categories'],
    [{ voice: 'boris' }, 'voice'],
    [{ content: 'word '.repeat(101) }, 'content'],
  ])('is rejected at its field with %p', async (more, path) => {
    const response = await make(ana, more)
    expect(response.status).toBe(422)
    expect((await response.json()).fields[0].path).toStartWith(path)
    expect(await contentOf(ana)).toEqual([])
  })

  test('does not take a slug from the library', async () => {
    const { slug } = await made()
    expect(slug).toMatch(/^the-orchard-[0-9a-f]{8}$/)
    expect((await publishTestItem(services, { title: 'The Orchard' })).slug).toBe('the-orchard')
  })
})

describe('content guidelines', () => {
  test('reject a blocked text without naming the rule, and record the decision', async () => {
    const response = await make(ana, { content: 'Some age play.' })
    expect(response.status).toBe(422)
    const { code, message, fields } = await response.json()
    expect({ code, fields }).toEqual({ code: 'guideline_blocked', fields: [{ path: 'content', message }] })
    expect(message).not.toMatch(/minor/i)
    expect(await db.select().from(guidelineDecisions)).toMatchObject([
      { actor: `member:${anaId}`, source: 'create', decision: 'refused' },
    ])
  })

  test('hold a text, which cannot be narrated or shared until it is approved', async () => {
    const item = await (await make(ana, { content: 'They drank moonshine.', narrate: true })).json()
    expect(item).toMatchObject({ state: 'held', isGenerating: false })
    expect((await ana.call(at(item.id, '/narrate'), { json: {} })).status).toBe(409)
    expect((await ana.call(at(item.id, '/share'), { method: 'POST', json: {} })).status).toBe(409)
    expect((await review(item.id, 'approve')).status).toBe(200)
    expect(await contentOf(ana)).toMatchObject([{ state: 'private' }])
    expect((await ana.call(at(item.id, '/narrate'), { json: {} })).status).toBe(201)
  })

  test('release a held text once it is fixed, and show the reason for a refusal', async () => {
    const { id } = await made({ content: 'They drank moonshine.' })
    expect(await ana.json(at(id), { method: 'PUT', json: { content: 'They drank tea.' } })).toMatchObject({
      state: 'private',
    })
    await ana.call(at(id), { method: 'PUT', json: { content: 'More moonshine.' } })
    await review(id, 'refuse', 'Nobody is talked round with drink.')
    expect(await contentOf(ana)).toMatchObject([
      { state: 'refused', reviewNote: 'Nobody is talked round with drink.', audioUrl: null },
    ])
    expect((await ana.call(at(id), { method: 'PUT', json: { title: 'x' } })).status).toBe(404)
    expect((await ana.call(at(id), { method: 'DELETE' })).status).toBe(200)
  })

  test('give hints that quote the matched words, and store nothing', async () => {
    const check = (content: string) =>
      ana.json('/api/user/content/check', { json: { title: '', content, categories: [] } })
    expect(await check('It was midnight.')).toEqual({
      hints: [{ kind: 'look', field: 'content', message: '“midnight” (word 3): Say how late it is.' }],
    })
    const { hints } = await check('Moonshine, then age play.')
    expect(hints.map(({ kind }: { kind: string }) => kind)).toEqual(['change', 'review'])
    expect(hints[0].message).toBe(
      '“age play” (word 3): this goes against the content guidelines. Change this place.',
    )
    expect(await check('They walked home.')).toEqual({ hints: [] })
    expect(await db.$count(guidelineDecisions)).toBe(0)
  })
})

describe('member narrations', () => {
  test('are queued with priority, shown to their member, cancelled, and counted for the day', async () => {
    const { id } = await made({ narrate: true, voice: 'adam' })
    const [job] = await db.select().from(jobs)
    expect(job).toMatchObject({ priority: 50, storyId: id, payload: { voice: 'male', narrator: 'adam' } })
    expect(await ana.json(at(id, '/job'))).toMatchObject({ state: 'queued', progress: 0, error: null })
    expect((await ana.call(at(id, '/narrate'), { json: {} })).status).toBe(409)
    expect((await ana.call(at(id, '/job'), { method: 'DELETE' })).status).toBe(200)
    expect((await ana.call(at(id, '/job'), { method: 'DELETE' })).status).toBe(409)
    expect(await ana.json('/api/user/limits')).toMatchObject({
      narrationsADay: 2,
      narrationsLeft: 1,
      wordsMax: 100,
    })
  })

  test('return 429 at the daily limit and create nothing, while saving without narration still works', async () => {
    await made({ narrate: true })
    await made({ title: 'Two', narrate: true })
    const response = await make(ana, { title: 'Three', narrate: true })
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await response.json()).message).toContain('2 narrations a day')
    expect(await contentOf(ana)).toHaveLength(2)
    const { id } = await made({ title: 'Three' })
    expect((await ana.call(at(id, '/narrate'), { json: {} })).status).toBe(429)
    expect(await ana.json('/api/user/limits')).toMatchObject({ narrationsLeft: 0 })
    expect((await make(ben, { narrate: true })).status).toBe(201)
  })

  test('do not exceed the daily limit when requested concurrently', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((each) => make(ana, { title: `T${each}`, narrate: true })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429, 429])
  })

  test('are retried after a failure without counting, and their error reveals no internals', async () => {
    const { id } = await made({ narrate: true })
    await db.update(jobs).set({ state: 'failed', error: 'OPENAI_API_KEY is wrong: sk-…' })
    expect(await ana.json(at(id, '/job'))).toMatchObject({
      state: 'failed',
      error: 'This could not be narrated. Your text is safe, and trying again is free.',
    })
    expect((await ana.call(at(id, '/narrate'), { json: {} })).status).toBe(201)
    expect(await ana.json('/api/user/limits')).toMatchObject({ narrationsLeft: 1 })
  })

  test('are played by their member only', async () => {
    const { id } = await made()
    await narrateWithTone(services, id, 1)
    const [item] = await contentOf(ana)
    expect(item.audioUrl).toBe(`/api/premium-audio/${id}/female`)
    expect((await ana.call(item.audioUrl)).status).toBe(200)
    expect((await ben.call(item.audioUrl)).status).toBe(404)
    expect((await visitor.call(item.audioUrl)).status).toBe(403)
  })
})

describe('sharing an item', () => {
  const share = (id: string) => ana.json(at(id, '/share'), { method: 'POST', json: {} })

  test('waits for approval, then everyone can read it and members can hear and save it', async () => {
    const { id, slug } = await made()
    await narrateWithTone(services, id, 1)
    expect(await share(id)).toMatchObject({ state: 'waiting' })
    expect(await share(id)).toMatchObject({ state: 'waiting' })
    expect((await ben.call(`/story/${slug}`)).status).toBe(404)
    expect(await ada.json('/api/held-content')).toMatchObject([{ id, isShared: true }])
    expect(await (await review(id, 'approve')).json()).toEqual({ id, status: 'published' })
    expect(await contentOf(ana)).toMatchObject([{ state: 'shared' }])
    for (const who of [ben, visitor]) expect((await who.call(`/story/${slug}`)).status).toBe(200)
    expect((await ben.call(`/api/premium-audio/${id}/female`)).status).toBe(200)
    await ben.call('/api/content-favorites', { json: { contentKey: `user_generated:story:${id}` } })
    expect(await contentOf(ben)).toMatchObject([{ id, isOwn: false, state: null, reviewNote: null }])
    expect(await (await visitor.call('/stories')).text()).not.toContain('The Orchard')

    expect(await ana.json(at(id, '/share'), { method: 'DELETE' })).toMatchObject({ state: 'private' })
    expect((await ben.call(`/story/${slug}`)).status).toBe(404)
    expect(await contentOf(ben)).toEqual([])
  })

  test('keeps the item private when refused, and shows the reason until the text changes', async () => {
    const { id } = await made()
    await share(id)
    await review(id, 'refuse', '  It names a real person. ')
    expect(await contentOf(ana)).toMatchObject([{ state: 'private', reviewNote: 'It names a real person.' }])
    expect((await ana.call(at(id), { method: 'PUT', json: { content: 'It names nobody.' } })).status).toBe(
      200,
    )
    expect(await contentOf(ana)).toMatchObject([{ reviewNote: null }])
  })

  test('waits for approval again after a text change, and no longer when it is withdrawn', async () => {
    const { id, slug } = await made()
    await share(id)
    await review(id, 'approve')
    expect(await ana.json(at(id), { method: 'PUT', json: { voice: 'bella' } })).toMatchObject({
      state: 'shared',
    })
    expect(await ana.json(at(id), { method: 'PUT', json: { content: 'Other words.' } })).toMatchObject({
      state: 'waiting',
    })
    expect((await ben.call(`/story/${slug}`)).status).toBe(404)
    expect(await ana.json(at(id, '/share'), { method: 'DELETE' })).toMatchObject({ state: 'private' })
    expect(await ada.json('/api/held-content')).toEqual([])
  })

  test('checks the text against the current guidelines', async () => {
    const { id } = await made()
    await db.update(stories).set({ content: 'Some age play.' }).where(eq(stories.id, id))
    expect((await ana.call(at(id, '/share'), { method: 'POST', json: {} })).status).toBe(422)
    expect(await rowOf(id)).toMatchObject({ isShared: false, status: 'published' })
  })

  test('lists waiting items for operators in pages, oldest first', async () => {
    const ids: string[] = []
    for (const title of ['One', 'Two', 'Three']) {
      const { id } = await made({ title })
      await share(id)
      ids.push(id)
    }
    const first = await ada.call('/api/held-content?limit=2')
    expect((await first.json()).map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
    const next = new URL(/<(.*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '')
    const second = await ada.call(next.pathname + next.search)
    expect((await second.json()).map(({ id }: { id: string }) => id)).toEqual(ids.slice(2))
    expect(second.headers.get('link')).toBeNull()
  })
})

describe('generated drafts', () => {
  const create = (more: object = {}) =>
    ana.call('/api/drafts', { json: { prompt: 'Two people and a lamp', categories: ['romantic'], ...more } })
  beforeEach(async () => {
    await db.execute(sql`truncate training_data cascade`)
    model.state.answer = () => chatAnswer(JSON.stringify({ title: 'The Lamp', content: 'She lit it.' }))
  })

  test('are limited a day, and each counts once as kept or discarded', async () => {
    const first = await (await create()).json()
    expect(first).toMatchObject({ title: 'The Lamp', content: 'She lit it.', warnings: [] })
    const second = await (await create({ discards: first.draftId })).json()
    expect((await create({ discards: first.draftId })).status).toBe(429)
    await make(ben, { draftId: second.draftId })
    await made({ draftId: second.draftId })
    await made({ draftId: second.draftId })
    expect(await db.select().from(trainingData)).toMatchObject([
      { successMetrics: { kept: 1, discarded: 1, failed: 0 } },
    ])
  })

  test('reject a blocked prompt, and do not count when the model is unavailable', async () => {
    expect((await create({ prompt: 'age play' })).status).toBe(422)
    model.state.answer = () => new Response('', { status: 500 })
    expect((await create()).status).toBe(503)
    expect(await ana.json('/api/user/limits')).toMatchObject({ draftsLeft: 1 })
  })
})

describe('My Content', () => {
  test('lists own items, saved items and released challenge days in pages, newest first', async () => {
    const saved = await publishTestItem(services, { title: 'Saved' })
    const days = [
      await publishTestItem(services, { type: 'flow' }),
      await publishTestItem(services, { type: 'flow' }),
    ]
    await ana.call('/api/content-favorites', { json: { contentKey: `pre_uploaded:story:${saved.id}` } })
    await setChallenge(
      db,
      anaId,
      days.map(({ id }) => id),
    )
    const own = await made()
    const items = await contentOf(ana)
    expect(items).toMatchObject([
      { id: own.id, isOwn: true },
      { id: days[0]?.id, isChallengeFlow: true, challengeName: 'Ten quiet days', challengeDay: 1 },
      { id: saved.id, isOwn: false, state: null, content: expect.stringContaining('She lit the lamp') },
    ])
    expect(await contentOf(ben)).toEqual([])
    const ids: string[] = []
    for (let path: string | null = '/api/user/content?limit=1'; path; ) {
      const page = await ana.call(path)
      expect(page.headers.get('x-total-count')).toBe('3')
      for (const { id } of await page.json()) ids.push(id)
      const next = /<(.*)>/.exec(page.headers.get('link') ?? '')?.[1]
      path = next ? new URL(next).pathname + new URL(next).search : null
    }
    expect(ids).toEqual(items.map(({ id }: { id: string }) => id))
  })
})

describe('access to the endpoints for own items', () => {
  const calls = (id: string): [string, string, object?][] => [
    ['GET', at(id)],
    ['PUT', at(id), { title: 'Mine now' }],
    ['POST', at(id, '/narrate'), {}],
    ['GET', at(id, '/job')],
    ['DELETE', at(id, '/job')],
    ['POST', at(id, '/share'), {}],
    ['DELETE', at(id, '/share')],
    ['DELETE', at(id)],
  ]

  test('returns 404 to another member, and 401 to visitors and operators', async () => {
    const { id } = await made({ narrate: true })
    const before = await rowOf(id)
    for (const [who, status] of [
      [ben, 404],
      [visitor, 401],
      [ada, 401],
    ] as const) {
      for (const [method, path, json] of calls(id))
        expect([method, path, (await who.call(path, { method, json })).status]).toEqual([
          method,
          path,
          status,
        ])
    }
    expect(await rowOf(id)).toEqual(before)
    expect(await db.$count(jobs, eq(jobs.state, 'queued'))).toBe(1)
  })

  test('returns 404 for a library item and for an unknown or malformed id', async () => {
    const { id } = await publishTestItem(services)
    for (const each of [id, 'x', '019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57'])
      for (const [method, path, json] of calls(each))
        expect([path, (await ana.call(path, { method, json })).status]).toEqual([path, 404])
  })

  test('returns 401 to visitors and operators on endpoints without an id', async () => {
    for (const who of [visitor, ada]) {
      expect((await make(who)).status).toBe(401)
      for (const path of ['/api/user/content', '/api/user/limits'])
        expect((await who.call(path)).status).toBe(401)
      expect((await who.call('/api/drafts', { json: { prompt: 'x', categories: [] } })).status).toBe(401)
      expect((await who.call('/api/user/content/check', { json: { ...draft } })).status).toBe(401)
    }
  })
})

import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, inArray, sql } from 'drizzle-orm'
import { auditLog, guidelineDecisions, stories } from '#db/schema'
import { runScans } from '#src/guideline/testing'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
beforeEach(
  async () =>
    void (await db.execute(
      sql`truncate stories, audit_log, content_guidelines, guideline_decisions, jobs cascade`,
    )),
)

const addRule = async (keywords: string): Promise<string> =>
  (
    await operator.json('/api/content-guidelines?confirm=true', {
      json: { keywords, description: `No ${keywords}s.` },
    })
  ).id
const item = async (content: string) =>
  (await publishTestItem(services, { title: content.slice(0, 40), content })).id
const review = (json: unknown) => operator.json('/api/held-content', { method: 'PATCH', json })
const one = (id: string, json: object) =>
  operator.call(`/api/held-content/${id}`, { method: 'PATCH', json: { decision: 'approve', ...json } })
const groups = () => operator.json('/api/held-content/rules')
const statusesOf = async (...ids: string[]) => {
  const rows = await db.select().from(stories).where(inArray(stories.id, ids))
  return ids.map((id) => rows.find((row) => row.id === id)?.status)
}
/** Creates three held items: one with a lantern, one with a lamp, one with both. */
async function holdThree() {
  const ids = [await item('A lantern.'), await item('A lamp.'), await item('A lantern and a lamp.')] as const
  const [lantern, lamp] = [await addRule('lantern'), await addRule('lamp')]
  await runScans(db)
  return { ids, lantern, lamp }
}

test('only operators can read held items and decide on them', async () => {
  const { ids } = await holdThree()
  for (const who of [browser(app), await memberBrowser(app, `${crypto.randomUUID()}@example.com`)]) {
    for (const [path, call] of [
      ['/api/held-content', {}],
      ['/api/held-content/rules', {}],
      ['/api/held-content', { method: 'PATCH', json: { decision: 'approve', all: true } }],
      [`/api/held-content/${ids[0]}`, { method: 'PATCH', json: { decision: 'approve' } }],
    ] as const) {
      const response = await who.call(path, call)
      expect(response.status).toBe(401)
      expect(await response.text()).not.toContain('lantern')
    }
  }
  expect(await statusesOf(...ids)).toEqual(['held', 'held', 'held'])
})

describe('a held item', () => {
  const hold = async (): Promise<string> => {
    await addRule('lantern')
    const json = { title: 'Evening', content: 'A lantern.', status: 'draft' }
    return (await operator.json('/api/premium-content', { json })).id
  }
  const edit = (id: string, json: unknown) =>
    operator.json(`/api/premium-content/${id}`, { method: 'PUT', json })

  test('returns to its intended status when approved, and no later scan holds it', async () => {
    const id = await hold()
    const response = await one(id, {})
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ id, status: 'draft' })
    expect((await one(id, {})).status).toBe(409)
    expect(await runScans(db)).toMatchObject([{ read: 1, held: 0 }])
    expect(await statusesOf(id)).toEqual(['draft'])
    const decisions = await db.select().from(guidelineDecisions).orderBy(guidelineDecisions.at)
    expect(decisions.map(({ actor, decision }) => [actor, decision])).toEqual([
      ['Ada', 'held'],
      ['Ada', 'approved'],
    ])
  })

  test('leaves the library when refused, but its row remains', async () => {
    const id = await hold()
    expect(await (await one(id, { decision: 'refuse' })).json()).toEqual({ id, status: 'removed' })
    expect(await operator.json('/api/premium-content')).toEqual({ content: [] })
    expect(await statusesOf(id)).toEqual(['removed'])
  })

  test('stays held when an edit publishes it, until an edit removes the forbidden words', async () => {
    const id = await hold()
    expect(await edit(id, { status: 'published' })).toMatchObject({ status: 'held' })
    expect(await edit(id, { content: 'A candle.', status: 'published' })).toMatchObject({
      status: 'published',
    })
  })

  test('is held again after approval by an edit of its text, not of its duration', async () => {
    const id = await hold()
    await one(id, {})
    expect(await edit(id, { title: 'Evening', duration: 20 })).toMatchObject({ status: 'draft' })
    expect(await edit(id, { content: 'Two lanterns. A lantern.' })).toMatchObject({ status: 'held' })
  })

  test('returns 404 when the id is unknown or malformed', async () => {
    expect((await one(crypto.randomUUID(), {})).status).toBe(404)
    expect((await one('x', { decision: 'refuse' })).status).toBe(404)
  })
})

describe('readAt of a decision', () => {
  test('leaves an item edited since undecided, alone (412) and in bulk, until it is read again', async () => {
    const { ids, lamp } = await holdThree()
    const read: { id: string; updatedAt: string }[] = await operator.json('/api/held-content')
    const readAt = read
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1)
    await db
      .update(stories)
      .set({ content: 'Another lamp.', updatedAt: sql`now()` })
      .where(eq(stories.id, ids[1]))
    const refused = await one(ids[1], { readAt })
    expect([refused.status, (await refused.json()).code]).toEqual([412, 'changed_since'])
    expect(await review({ decision: 'approve', ids: [ids[0], ids[1]], readAt })).toMatchObject({
      decided: 1,
      why: [{ id: ids[1], message: 'It has changed since you read it. Read it again, then decide.' }],
    })
    expect(await review({ decision: 'approve', ruleId: lamp, readAt })).toMatchObject({ undecided: 2 })
    expect(await statusesOf(...ids)).toEqual(['published', 'held', 'held'])
    const again = (await operator.json('/api/held-content')).find(({ id }: { id: string }) => id === ids[1])
    expect((await one(ids[1], { readAt: again.updatedAt })).status).toBe(200)
    expect(await statusesOf(...ids)).toEqual(['published', 'published', 'held'])
  })

  test('may be the item’s updatedAt or absent, and is rejected when malformed', async () => {
    const { ids } = await holdThree()
    const read = (await operator.json('/api/held-content')).find(({ id }: { id: string }) => id === ids[1])
    expect((await one(ids[1], { readAt: read.updatedAt })).status).toBe(200)
    expect((await one(ids[0], {})).status).toBe(200)
    expect((await one(ids[2], { readAt: 'yesterday' })).status).toBe(422)
    expect(await review({ decision: 'approve', ids: [ids[2]], readAt: 'yesterday' })).toMatchObject({
      code: 'invalid',
    })
  })
})

describe('review queue', () => {
  test('counts and filters held items by rule', async () => {
    const { ids, lantern, lamp } = await holdThree()
    expect(await groups()).toEqual(
      [
        { ruleId: lamp, description: 'No lamps.', severity: 'high', held: 2, alone: 1 },
        { ruleId: lantern, description: 'No lanterns.', severity: 'high', held: 2, alone: 1 },
      ].toSorted((a, b) => (a.ruleId < b.ruleId ? -1 : 1)),
    )
    const listed = await operator.json(`/api/held-content?ruleId=${lantern}`)
    expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual([ids[0], ids[2]].sort())
    expect(await operator.json('/api/held-content?ruleId=none')).toEqual([])
  })

  test('groups items held without a rule under "none"', async () => {
    const id = await item('A candle.')
    await db.update(stories).set({ status: 'held', heldFrom: 'published' }).where(eq(stories.id, id))
    expect(await groups()).toEqual([
      { ruleId: 'none', description: 'Held without a rule', severity: 'high', held: 1, alone: 1 },
    ])
    expect(await operator.json('/api/held-content?ruleId=none')).toMatchObject([{ id }])
    expect(await review({ decision: 'approve', ruleId: 'none' })).toMatchObject({ decided: 1 })
  })
})

describe('bulk decision', () => {
  test('by id reports why an item was left undecided, and is idempotent', async () => {
    const { ids } = await holdThree()
    const missing = crypto.randomUUID()
    const wish = { decision: 'approve', ids: [ids[0], ids[2], missing] }
    expect(await review(wish)).toEqual({
      decided: 2,
      undecided: 1,
      remaining: 0,
      why: [{ id: missing, message: 'There is no such item.' }],
    })
    expect(await statusesOf(...ids)).toEqual(['published', 'held', 'published'])
    expect(await review(wish)).toMatchObject({ decided: 0, undecided: 3 })
    expect(await runScans(db)).toEqual([])
    expect(await statusesOf(...ids)).toEqual(['published', 'held', 'published'])
  })

  test('by rule approves only the items that no other rule holds', async () => {
    const { ids, lantern, lamp } = await holdThree()
    expect(await review({ decision: 'approve', ruleId: lantern })).toEqual({
      decided: 1,
      undecided: 1,
      remaining: 0,
      why: [{ id: ids[2], message: '“No lamps.” holds it too.' }],
    })
    expect(await statusesOf(...ids)).toEqual(['published', 'held', 'held'])
    expect(await groups()).toMatchObject([{ ruleId: lamp, held: 2, alone: 2 }])
    expect(await review({ decision: 'approve', ruleId: lamp })).toMatchObject({ decided: 2, undecided: 0 })
    expect(await statusesOf(...ids)).toEqual(['published', 'published', 'published'])
    const changes = await db.select().from(auditLog).where(eq(auditLog.action, 'approve'))
    expect(changes.map(({ actor, subjectId }) => [actor, subjectId]).sort()).toEqual(
      [ids[0], ids[1], ids[2], ids[2]].map((id) => ['Ada', id]).sort(),
    )
  })

  test('refuses all items, each with an audit entry', async () => {
    const { ids } = await holdThree()
    expect(await review({ decision: 'refuse', all: true, reason: 'Not here.' })).toEqual({
      decided: 3,
      undecided: 0,
      remaining: 0,
      why: [],
    })
    expect(await statusesOf(...ids)).toEqual(['removed', 'removed', 'removed'])
    expect(await groups()).toEqual([])
    expect(await db.$count(auditLog, eq(auditLog.action, 'refuse'))).toBe(3)
  })

  test('handles 500 items per call and the remaining ones in the next', async () => {
    const first = await item('A candle.')
    await db.execute(sql`
      insert into stories (id, slug, title, title_key, content, status, held_from, source)
      select gen_random_uuid(), 'held-' || n, 'Held ' || n, 'held ' || n, 'A lantern.', 'held', 'published', 'pre_uploaded'
      from generate_series(1, 510) n`)
    expect(await review({ decision: 'approve', all: true })).toMatchObject({ decided: 500, remaining: 10 })
    expect(await review({ decision: 'approve', all: true })).toMatchObject({ decided: 10, remaining: 0 })
    expect(await db.$count(stories, eq(stories.status, 'published'))).toBe(511)
    expect(await statusesOf(first)).toEqual(['published'])
  })

  test.each([
    [{}],
    [{ all: true, ruleId: 'x' }],
    [{ ids: ['x'], all: true }],
    [{ ids: [] }],
    [{ all: false }],
  ])('is rejected with 422 without exactly one selection: %j', async (which) => {
    const response = await operator.call('/api/held-content', {
      method: 'PATCH',
      json: { decision: 'approve', ...which },
    })
    expect(response.status).toBe(422)
  })
})

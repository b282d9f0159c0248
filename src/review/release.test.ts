import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { guidelineDecisions, stories } from '#db/schema'
import { runScans } from '#src/guideline/testing'
import { onLibraryChange } from '#src/story/library-changed'
import { publishDue } from '#src/story/publish-due'
import { memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
const member = await memberBrowser(app, 'ana@example.com')
const rules = '/api/content-guidelines'
beforeEach(
  async () =>
    void (await db.execute(
      sql`truncate stories, imports, import_changes, audit_log, content_guidelines, guideline_decisions, jobs cascade`,
    )),
)

const addRule = async (keywords: string, more: Record<string, unknown> = {}): Promise<string> =>
  (await operator.json(`${rules}?confirm=true`, { json: { keywords, ...more } })).id
const change = (id: string, json: unknown) =>
  operator.json(`${rules}/${id}?confirm=true`, { method: 'PATCH', json })
const remove = (id: string) => operator.json(`${rules}/${id}`, { method: 'DELETE' })
const decide = (id: string, decision: string) =>
  operator.json(`/api/held-content/${id}`, { method: 'PATCH', json: { decision } })
const statusOf = async (id: string) =>
  (await db.select({ status: stories.status }).from(stories).where(eq(stories.id, id)))[0]?.status
const item = async (content: string, more: object = {}) =>
  (await publishTestItem(services, { title: content.slice(0, 40), content, ...more })).id

describe('an item that one rule alone holds', () => {
  for (const [how, withdraw] of Object.entries({
    'is removed': remove,
    'is turned off': (id: string) => change(id, { isActive: false }),
    'loses the keyword': (id: string) => change(id, { keywords: 'lamp' }),
    'allows the phrase': (id: string) => change(id, { allowed: 'paper lantern' }),
    'is for other categories': (id: string) => change(id, { categories: ['bdsm'] }),
    'only warns': (id: string) => change(id, { severity: 'medium' }),
    'is for prompts': (id: string) => change(id, { ruleType: 'content_rules' }),
  }))
    test(`is released when the rule ${how}`, async () => {
      const id = await item('A paper lantern.', { categories: ['romantic'] })
      const rule = await addRule('lantern')
      await runScans(db)
      expect(await statusOf(id)).toBe('held')
      await withdraw(rule)
      expect(await runScans(db)).toMatchObject([{ released: 1, held: 0 }])
      expect(await statusOf(id)).toBe('published')
      expect(await operator.json('/api/held-content/rules')).toEqual([])
    })

  test('returns to its draft, schedule or publication time, and is published if due meanwhile', async () => {
    const time = new Date('2026-05-01T10:00:00Z')
    const draft = await item('A lantern as a draft.', { status: 'draft' })
    const published = await item('A lantern.', { publishedAt: time })
    const later = await item('A lantern to come.', {
      status: 'scheduled',
      publishedAt: new Date('2999-01-01T00:00:00Z'),
    })
    const due = await item('A lantern that was due.', { status: 'scheduled', publishedAt: time })
    const rule = await addRule('lantern')
    await runScans(db)
    expect(await publishDue(db)).toBe(0)
    await remove(rule)
    await runScans(db)
    expect([await statusOf(draft), await statusOf(published), await statusOf(later)]).toEqual([
      'draft',
      'published',
      'scheduled',
    ])
    expect(await publishDue(db)).toBe(1)
    const rows = await db.select().from(stories)
    for (const id of [published, due])
      expect(rows.find((row) => row.id === id)).toMatchObject({
        status: 'published',
        heldFrom: null,
        publishedAt: time,
      })
  })

  test('is released too if it was held when created, edited or imported', async () => {
    const rule = await addRule('lantern')
    await runScans(db)
    const made = await operator.json('/api/premium-content', { json: { title: 'A', content: 'A lantern.' } })
    const edited = await item('A candle.')
    await operator.json(`/api/premium-content/${edited}`, { method: 'PUT', json: { content: 'A lantern.' } })
    await operator.json('/api/premium-content/bulk', {
      json: { items: [{ title: 'C', content: 'A lantern.' }] },
    })
    expect(await operator.json('/api/held-content/rules')).toMatchObject([
      { ruleId: rule, held: 3, alone: 3 },
    ])
    await remove(rule)
    expect(await runScans(db)).toMatchObject([{ released: 3 }])
    expect(await statusOf(made.id)).toBe('published')
  })
})

describe('a held item whose rule is withdrawn', () => {
  test('stays held while another rule holds it, and is released with the last one', async () => {
    const id = await item('A lantern and a lamp.')
    const [lantern, lamp] = [await addRule('lantern'), await addRule('lamp')]
    await runScans(db)
    await remove(lantern)
    expect(await runScans(db)).toMatchObject([{ released: 0 }])
    expect(await statusOf(id)).toBe('held')
    expect(await operator.json('/api/held-content/rules')).toMatchObject([{ ruleId: lamp, held: 1 }])
    await remove(lamp)
    await runScans(db)
    expect(await statusOf(id)).toBe('published')
  })

  test('stays held when its rule is narrowed but still matches', async () => {
    const id = await item('A lantern and a lamp.')
    const rule = await addRule('lantern, lamp')
    await runScans(db)
    await change(rule, { keywords: 'lamp' })
    expect(await runScans(db)).toMatchObject([{ released: 0, held: 0 }])
    expect(await statusOf(id)).toBe('held')
    const held = await db.select().from(guidelineDecisions).where(eq(guidelineDecisions.decision, 'held'))
    expect(held.map(({ ruleVersion }) => ruleVersion).sort()).toEqual([1, 2])
  })

  test('stays held when another rule matches that has yet to scan the library', async () => {
    const id = await item('A lantern and a lamp.')
    const lantern = await addRule('lantern')
    await runScans(db)
    await remove(lantern)
    const lamp = await addRule('lamp')
    await runScans(db)
    expect(await statusOf(id)).toBe('held')
    expect(await operator.json('/api/held-content/rules')).toMatchObject([{ ruleId: lamp }])
  })

  test('stays held if it was imported as held', async () => {
    const rule = await addRule('lantern')
    await runScans(db)
    await operator.json('/api/premium-content/bulk', {
      json: { items: [{ title: 'A', content: 'A lantern.', status: 'held' }] },
    })
    await remove(rule)
    expect(await runScans(db)).toMatchObject([{ released: 0 }])
    expect(await operator.json('/api/held-content/rules')).toMatchObject([
      { ruleId: 'review:import', held: 1, description: 'Held where it came from' },
    ])
  })

  test('keeps an operator’s approval or refusal', async () => {
    const [approved, refused] = [await item('A lantern.'), await item('A lantern too.')]
    const rule = await addRule('lantern')
    await runScans(db)
    await decide(approved, 'approve')
    await decide(refused, 'refuse')
    await remove(rule)
    expect(await runScans(db)).toMatchObject([{ released: 0 }])
    expect([await statusOf(approved), await statusOf(refused)]).toEqual(['published', 'removed'])
  })
})

describe('a member’s item', () => {
  const make = async (content: string): Promise<string> =>
    (
      await (
        await member.call('/api/user/content', {
          json: { title: 'The Orchard', content, categories: ['romantic'] },
        })
      ).json()
    ).id
  const share = (id: string) => member.json(`/api/user/content/${id}/share`, { method: 'POST', json: {} })

  test('returns to its author when released, and stays held while it waits to be shared', async () => {
    const rule = await addRule('lantern')
    const own = await make('A lantern.')
    const waiting = await make('A candle.')
    await share(waiting)
    await change(rule, { keywords: 'lantern, candle' })
    await runScans(db)
    expect([await statusOf(own), await statusOf(waiting)]).toEqual(['held', 'held'])
    await remove(rule)
    expect(await runScans(db)).toMatchObject([{ released: 1 }])
    expect([await statusOf(own), await statusOf(waiting)]).toEqual(['published', 'held'])
    expect(await operator.json('/api/held-content/rules')).toMatchObject([
      { ruleId: 'review:sharing', held: 1, description: 'Shared by a member' },
    ])
  })

  test('is shared again when released, unless its author made it private meanwhile', async () => {
    const [shared, withdrawn] = [await make('A lantern.'), await make('A lantern too.')]
    for (const id of [shared, withdrawn]) {
      await share(id)
      await decide(id, 'approve')
    }
    const rule = await addRule('lantern')
    await runScans(db)
    await member.json(`/api/user/content/${withdrawn}/share`, { method: 'DELETE' })
    expect([await statusOf(shared), await statusOf(withdrawn)]).toEqual(['held', 'held'])
    await remove(rule)
    await runScans(db)
    const rows = await db.select().from(stories)
    expect(rows.find(({ id }) => id === shared)).toMatchObject({ status: 'published', isShared: true })
    expect(rows.find(({ id }) => id === withdrawn)).toMatchObject({ status: 'published', isShared: false })
  })
})

describe('releasing items', () => {
  test('resumes after an interruption and releases the rest', async () => {
    for (let at = 0; at < 60; at += 1) await item(`A lantern. ${at}`)
    const rule = await addRule('lantern')
    await runScans(db)
    expect(await db.$count(stories, eq(stories.status, 'held'))).toBe(60)
    await remove(rule)
    const cut = new AbortController()
    onLibraryChange(db, () => cut.abort(new Error('The program stops.')))
    await rejectionOf(runScans(db, { signal: cut.signal, progress: () => {} }))
    const left = await db.$count(stories, eq(stories.status, 'held'))
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(60)
    await db.execute(sql`update jobs set leased_until = now() - interval '1 second' where state = 'running'`)
    expect(await runScans(db)).toMatchObject([{ released: left }])
    expect(await db.$count(stories, eq(stories.status, 'published'))).toBe(60)
  })

  test('leaves no item held when the rule is removed during its scan', async () => {
    for (let at = 0; at < 60; at += 1) await item(`A lantern. ${at}`)
    const rule = await addRule('lantern')
    let removal: Promise<unknown> | null = null
    const withdraw = () => {
      removal ??= remove(rule)
    }
    const results = await runScans(db, { signal: new AbortController().signal, progress: withdraw })
    await removal
    results.push(...(await runScans(db)))
    expect(results.reduce((sum, { held, released }) => sum + held - released, 0)).toBe(0)
    expect(await db.$count(stories, eq(stories.status, 'published'))).toBe(60)
  })

  test('skips a locked item and releases it after the others', async () => {
    const [first, second] = [await item('A lantern.'), await item('A lantern too.')]
    const rule = await addRule('lantern')
    await runScans(db)
    await remove(rule)
    const locked = Promise.withResolvers<void>()
    const free = Promise.withResolvers<void>()
    const editing = db.transaction(async (tx) => {
      await tx.select().from(stories).where(eq(stories.id, first)).for('update')
      locked.resolve()
      await free.promise
    })
    await locked.promise
    const releasing = runScans(db)
    while ((await statusOf(second)) === 'held');
    expect(await statusOf(first)).toBe('held')
    free.resolve()
    await editing
    expect(await releasing).toMatchObject([{ released: 2 }])
    expect(await statusOf(first)).toBe('published')
  })
})

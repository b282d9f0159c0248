import { beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { asc, eq, sql } from 'drizzle-orm'
import { auditLog, contentGuidelines, jobs, stories } from '#db/schema'
import { builtInRules } from '#src/guideline/built-in'
import { runScans, testRule } from '#src/guideline/testing'
import { memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { previewRule } from './preview'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
const rules = '/api/content-guidelines'
beforeEach(
  async () =>
    void (await db.execute(
      sql`truncate stories, audit_log, content_guidelines, guideline_decisions, jobs cascade`,
    )),
)

const states = () =>
  db
    .select({ title: stories.title, status: stories.status, publishedAt: stories.publishedAt })
    .from(stories)
    .orderBy(asc(stories.title))
const publishMany = async (count: number, content: string) => {
  for (let at = 0; at < count; at += 1) await publishTestItem(services, { title: `Item ${at}`, content })
}
const preview = (json: unknown) => operator.json(`${rules}/preview`, { json })
const add = (json: unknown, query = '') => operator.call(`${rules}${query}`, { json })

test('a rule that would hold 79 of 80 items needs confirmation, and removing it releases them all', async () => {
  for (let at = 10; at < 89; at += 1)
    await publishTestItem(services, {
      title: `Item ${at}`,
      content: `She lit the lamp. ${at}`,
      status: at % 10 === 0 ? 'draft' : 'published',
      publishedAt: new Date(Date.UTC(2026, 4, 1, at % 24)),
    })
  await publishTestItem(services, { title: 'Quiet', content: 'A lamp.' })
  const before = await states()

  const refused = await add({ keywords: 'the', severity: 'high' })
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({
    code: 'conflict',
    message: 'This would hold 79 of 80 items. Confirm it, or make the rule narrower.',
    preview: { held: 79, total: 80, read: 80, isComplete: true, needsConfirmation: true },
  })
  await runScans(db)
  expect(await states()).toEqual(before)
  expect(await db.$count(contentGuidelines)).toBe(0)

  const made = await add({ keywords: 'the', severity: 'high' }, '?confirm=true')
  expect(made.status).toBe(201)
  expect(await runScans(db)).toMatchObject([{ held: 79, released: 0 }])
  expect(await db.$count(stories, eq(stories.status, 'held'))).toBe(79)

  const { id } = await made.json()
  expect(await preview({ ruleId: id, rule: { isActive: false } })).toMatchObject({
    released: 79,
    message: 'This would hold nothing. 79 that it alone holds would go back.',
  })
  expect((await operator.call(`${rules}/${id}`, { method: 'DELETE' })).status).toBe(200)
  expect(await runScans(db)).toMatchObject([{ held: 0, released: 79 }])
  expect(await states()).toEqual(before)

  const changes = await db.select().from(auditLog).where(eq(auditLog.subjectId, id)).orderBy(auditLog.id)
  const counted = (action: string, field: 'held' | 'released') =>
    changes
      .filter((each) => each.action === action && each.actor === 'Ada')
      .reduce((sum, { after }) => sum + Number(new Map(Object.entries(after ?? {})).get(field)), 0)
  expect([counted('hold', 'held'), counted('release', 'released')]).toEqual([79, 79])
})

describe('rule preview', () => {
  test('counts members’ private items but quotes none of them', async () => {
    const ana = await memberBrowser(app, `${crypto.randomUUID()}@example.com`)
    const made = await ana.call('/api/user/content', {
      json: {
        title: 'Mine Alone',
        content: 'She hid a lantern under the stairs.',
        categories: ['romantic'],
        voice: 'rachel',
      },
    })
    expect(made.status).toBe(201)
    const { held, examples } = await preview({ rule: { keywords: 'lantern' } })
    expect([held, examples]).toEqual([1, []])
  })

  test('lists the items to be held with the matching words, and writes nothing', async () => {
    const { id } = await publishTestItem(services, { title: 'Dark', content: 'She lit a lantern, slowly.' })
    await publishTestItem(services, { title: 'Bright', content: 'A candle.' })
    expect(await preview({ rule: { keywords: 'lantern', severity: 'blocking' } })).toEqual({
      message: 'This would hold 1 of 2 items. New texts with these words would be refused.',
      needsConfirmation: true,
      decision: 'refused',
      total: 2,
      read: 2,
      isComplete: true,
      held: 1,
      alreadyHeld: 0,
      approved: 0,
      warned: 0,
      released: 0,
      examples: [
        {
          id,
          title: 'Dark',
          status: 'published',
          field: 'content',
          before: 'She lit a ',
          match: 'lantern',
          after: ', slowly.',
        },
      ],
    })
    expect(await db.$count(jobs)).toBe(0)
    expect(await db.$count(contentGuidelines)).toBe(0)
  })

  test('needs no confirmation for a rule that warns, is inactive or is for prompts', async () => {
    await publishMany(7, 'A lantern.')
    expect(await preview({ rule: { keywords: 'lantern', severity: 'medium' } })).toMatchObject({
      needsConfirmation: false,
      held: 0,
      warned: 7,
      message: 'This would warn of 7 of 7 items.',
    })
    for (const more of [{ isActive: false }, { ruleType: 'content_rules' }]) {
      const rule = { keywords: 'lantern', ...more }
      expect(await preview({ rule })).toMatchObject({ needsConfirmation: false, decision: 'passed', held: 0 })
      expect((await add(rule)).status).toBe(201)
    }
  })

  test('counts items already held and items approved separately, and the change leaves both alone', async () => {
    await publishMany(3, 'A lantern and a lamp.')
    const first = await (await add({ keywords: 'lantern' }, '?confirm=true')).json()
    await runScans(db)
    const [one] = await operator.json('/api/held-content')
    await operator.call(`/api/held-content/${one.id}`, { method: 'PATCH', json: { decision: 'approve' } })
    const change = { ruleId: first.id, rule: { description: 'No lanterns.' } }
    expect(await preview(change)).toMatchObject({ held: 0, approved: 1, alreadyHeld: 2, released: 0 })
    expect(await preview({ ruleId: first.id, rule: { keywords: 'zebra' } })).toMatchObject({
      released: 2,
      message: 'This would hold 0 of 3 items. 2 that it alone holds would go back.',
    })
    await operator.json(`${rules}/${first.id}`, { method: 'PATCH', json: change.rule })
    expect(await runScans(db)).toMatchObject([{ held: 0, released: 0 }])
    expect(await preview({ ruleId: first.id, rule: { keywords: 'lantern, lamp' } })).toMatchObject({
      held: 1,
    })
  })

  test('says "at least" and needs confirmation when time runs out before the whole library is read', async () => {
    await publishMany(2, 'A lantern.')
    const rule = { ...testRule(['lantern'], { severity: 'high', id: '' }), isActive: true }
    expect(await previewRule(db, rule, { timeMs: -1 })).toMatchObject({
      read: 0,
      total: 2,
      isComplete: false,
      needsConfirmation: true,
      message: 'This would hold at least 0 of the 0 items that were read in time, of 2.',
    })
  })

  test('rejects a built-in rule with 403, an unknown one with 404 and one without keywords with 422', async () => {
    const call = (json: unknown) => operator.call(`${rules}/preview`, { json })
    expect((await call({ ruleId: builtInRules[0]?.id, rule: { isActive: false } })).status).toBe(403)
    expect((await call({ ruleId: crypto.randomUUID(), rule: { isActive: false } })).status).toBe(404)
    expect((await call({ rule: {} })).status).toBe(422)
  })
})

describe('adding or changing a rule', () => {
  test('needs confirmation when it would hold more than 5 items', async () => {
    await publishMany(114, 'A candle.')
    await publishMany(5, 'A lantern.')
    await publishMany(1, 'A lamp.')
    expect((await add({ keywords: 'lantern, lamp' })).status).toBe(409)
    expect((await add({ keywords: 'lantern' })).status).toBe(201)
    expect(await runScans(db)).toMatchObject([{ held: 5 }])
  })

  test('needs confirmation when it would hold more than 5 % of a small library', async () => {
    await publishMany(19, 'A candle.')
    await publishMany(1, 'A lantern.')
    expect((await add({ keywords: 'lantern' })).status).toBe(201)
    await publishMany(1, 'A lamp.')
    await db.delete(stories).where(sql`title in ('Item 1', 'Item 2')`)
    expect((await add({ keywords: 'lamp' })).status).toBe(409)
  })

  test('needs confirmation to enable or widen a rule, and holds nothing without it', async () => {
    await publishMany(7, 'A lantern.')
    const { id } = await (await add({ keywords: 'lamp' })).json()
    const change = (json: unknown, query = '') =>
      operator.call(`${rules}/${id}${query}`, { method: 'PATCH', json })
    expect((await change({ keywords: 'lamp, lantern' })).status).toBe(409)
    expect((await change({ isActive: false })).status).toBe(200)
    expect((await change({ keywords: 'lamp, lantern' })).status).toBe(200)
    const refused = await change({ isActive: true })
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ preview: { held: 7, total: 7 } })
    await runScans(db)
    expect(await db.$count(stories, eq(stories.status, 'held'))).toBe(0)
    expect(await (await change({ isActive: true }, '?confirm=true')).json()).toMatchObject({
      isActive: true,
      version: 4,
    })
    await runScans(db)
    expect(await db.$count(stories, eq(stories.status, 'held'))).toBe(7)
  })

  test('keeps omitted fields, and records the old and new values in the audit log', async () => {
    const { id } = await (
      await add({ keywords: 'lamp', description: 'No lamps.', categories: ['bdsm'] })
    ).json()
    const changed = await operator.json(`${rules}/${id}`, { method: 'PATCH', json: { severity: 'low' } })
    expect(changed).toMatchObject({
      keywords: ['lamp'],
      description: 'No lamps.',
      categories: ['bdsm'],
      severity: 'low',
      version: 2,
    })
    expect((await operator.call(`${rules}/${id}`, { method: 'PATCH', json: {} })).status).toBe(422)
    expect(
      (await operator.call(`${rules}/${id}`, { method: 'PATCH', json: { keywords: ' , ' } })).status,
    ).toBe(422)
    const [edit] = await db.select().from(auditLog).where(eq(auditLog.action, 'edit'))
    expect(edit).toMatchObject({ actor: 'Ada', before: { severity: 'high' }, after: { severity: 'low' } })
  })

  test('writes the rules table only in change-guideline.ts, which previews each change', async () => {
    const writers = []
    for (const folder of ['src', 'cli', 'db'])
      for await (const path of new Bun.Glob('**/*.{ts,tsx}').scan(join(import.meta.dir, '../..', folder))) {
        if (/\.test\.tsx?$/.test(path)) continue
        const text = await Bun.file(join(import.meta.dir, '../..', folder, path)).text()
        if (/(insert|update)\(contentGuidelines\)|(insert into|update) content_guidelines/i.test(text))
          writers.push(`${folder}/${path}`)
      }
    expect(writers).toEqual(['src/review/change-guideline.ts'])
  })
})

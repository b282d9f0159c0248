import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { auditLog, guidelineDecisions, jobs, stories } from '#db/schema'
import { takeJob } from '#src/job/lease'
import { pruneJobs } from '#src/job/queries'
import { enqueueScan, scanByBuiltIn, scanHandler, scanKind } from '#src/review/scan'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { builtInRules } from './built-in'
import { runScans } from './testing'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
beforeEach(
  async () =>
    void (await db.execute(
      sql`truncate stories, imports, import_changes, audit_log, content_guidelines, guideline_decisions, jobs cascade`,
    )),
)

const rules = '/api/content-guidelines'
const addRule = async (more: Record<string, unknown> = {}) => {
  const response = await operator.call(`${rules}?confirm=true`, {
    json: { keywords: 'lantern', severity: 'blocking', description: 'No lanterns.', ...more },
  })
  expect(response.status).toBe(201)
  return response.json()
}
const makeItem = (content: string, more: Record<string, unknown> = {}) =>
  operator.call('/api/premium-content', { json: { title: 'Evening', content, ...more } })
const decisions = () => db.select().from(guidelineDecisions).orderBy(guidelineDecisions.at)
const statusOf = async (id: string) =>
  (await db.select({ status: stories.status }).from(stories).where(eq(stories.id, id)))[0]?.status
async function scan() {
  const job = await takeJob(db, [scanKind])
  if (!job) throw new Error('No scan is queued.')
  return scanHandler({ db })(job, { signal: new AbortController().signal, progress: () => {} })
}

describe('guideline rules', () => {
  test('are created active, with cleaned keywords and defaults', async () => {
    const made = await addRule({ keywords: ' lantern, , lamp post ,lantern', severity: undefined })
    expect(made).toMatchObject({
      keywords: ['lantern', 'lamp post'],
      ruleType: 'negative_keywords',
      severity: 'high',
      categories: [],
      description: 'No lanterns.',
      isActive: true,
      builtIn: false,
      version: 1,
    })
    expect(await operator.json(rules)).toMatchObject([
      { id: made.id },
      ...builtInRules.map(({ id }) => ({ id, builtIn: true, severity: 'blocking', keywords: [] })),
    ])
  })

  test.each([
    ['', 'keywords', 'Please enter at least one keyword or phrase.'],
    [' , ,', 'keywords', 'Please enter at least one keyword or phrase.'],
    [[], 'keywords', 'Please enter at least one keyword or phrase.'],
    ['!!!', 'keywords[0]', 'no letter or digit'],
    ['lamp, la*mp', 'keywords[1]', 'only stand at the end'],
    ['la*', 'keywords[0]', 'at least 3 letters'],
    ['a b c d e f g h i j k l m', 'keywords[0]', 'more than 12 words'],
    ['x'.repeat(101), 'keywords[0]', 'At most 100 characters'],
  ])('reject the keywords %p', async (keywords, path, message) => {
    const response = await operator.call(rules, { json: { keywords } })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      code: 'invalid',
      fields: [{ path, message: expect.stringContaining(message) }],
    })
  })

  test('cannot be removed or turned off when built in', async () => {
    for (const { id } of builtInRules) {
      expect((await operator.call(`${rules}/${id}`, { method: 'DELETE' })).status).toBe(403)
      expect(
        (await operator.call(`${rules}/${id}`, { method: 'PATCH', json: { isActive: false } })).status,
      ).toBe(403)
    }
  })

  test('can be turned off, on and removed, each recorded in the audit log', async () => {
    const { id } = await addRule()
    expect((await makeItem('A lantern.')).status).toBe(422)
    const off = await operator.json(`${rules}/${id}`, { method: 'PATCH', json: { isActive: false } })
    expect(off).toMatchObject({ isActive: false, version: 2 })
    expect((await makeItem('A lantern.')).status).toBe(201)
    await operator.json(`${rules}/${id}?confirm=true`, { method: 'PATCH', json: { isActive: true } })
    expect((await makeItem('Another lantern.')).status).toBe(422)
    expect(await operator.json(`${rules}/${id}`, { method: 'DELETE' })).toEqual({ success: true })
    expect((await makeItem('One more lantern.')).status).toBe(201)
    expect((await operator.call(`${rules}/${id}`, { method: 'DELETE' })).status).toBe(404)
    const changes = await db.select().from(auditLog).where(eq(auditLog.subjectId, id)).orderBy(auditLog.at)
    expect(changes.map(({ actor, action }) => [actor, action])).toEqual([
      ['Ada', 'add'],
      ['Ada', 'deactivate'],
      ['Ada', 'activate'],
      ['Ada', 'remove'],
    ])
  })

  test('reject visitors and members with 401', async () => {
    const { id } = await addRule()
    for (const who of [browser(app), await memberBrowser(app, `${crypto.randomUUID()}@example.com`)]) {
      for (const [path, call] of [
        [rules, {}],
        [rules, { json: { keywords: 'a' } }],
        [`${rules}/${id}`, { method: 'DELETE' }],
        [`${rules}/${id}`, { method: 'PATCH', json: { isActive: false } }],
        [`${rules}/test`, { json: { text: 'lantern' } }],
        [`${rules}/preview`, { json: { rule: { keywords: 'lantern' } } }],
      ] as const) {
        const response = await who.call(path, call)
        expect(response.status).toBe(401)
        expect(await response.text()).not.toContain('lantern')
      }
    }
    expect(await operator.json(rules)).toHaveLength(1 + builtInRules.length)
  })
})

describe('guideline check of a text', () => {
  test('rejects a blocked text with the rule and place, and stores only the decision', async () => {
    const { id } = await addRule()
    const response = await makeItem('She lit the l a n t e r n. Then the l\u200bаnte\u0301rn.')
    expect(response.status).toBe(422)
    const body = await response.json()
    expect(body).toMatchObject({
      code: 'guideline_blocked',
      message:
        'Refused by a guideline: No lanterns (content, words 4 to 10, and 1 more place). Change that place and try again.',
      fields: [{ path: 'content' }],
    })
    expect(await db.$count(stories)).toBe(0)
    const recorded = await decisions()
    expect(recorded).toMatchObject([
      {
        actor: 'Ada',
        source: 'create',
        ruleId: id,
        ruleVersion: 1,
        severity: 'blocking',
        decision: 'refused',
        storyId: null,
        places: [
          { field: 'content', start: 12, end: 25 },
          { field: 'content', start: 36, end: 44 },
        ],
      },
    ])
    expect(JSON.stringify(recorded)).not.toContain('She lit')
  })

  test('rejects text that a built-in rule blocks when creating, editing and importing', async () => {
    const text = 'Something about age play.'
    const { id } = await (await makeItem('She lit it.')).json()
    const answers = [
      await makeItem(text),
      await makeItem('Fine', { title: text }),
      await makeItem('Fine', { description: text }),
      await operator.call('/api/stories', { json: { title: 'A', content: text } }),
      await operator.call(`/api/premium-content/${id}`, { method: 'PUT', json: { content: text } }),
      await operator.call(`/api/premium-content/${id}`, { method: 'PUT', json: { tags: ['age play'] } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 422))
    expect(await (answers[0] as Response).json()).toMatchObject({ code: 'guideline_blocked' })
    const bulk = await operator.call('/api/stories/bulk', {
      json: { stories: [{ title: 'A', category: 'romantic', tags: '', story: text }] },
    })
    expect(bulk.status).toBe(422)
    const many = await operator.json('/api/premium-content/bulk', {
      json: {
        items: [
          { title: 'A', content: text },
          { title: 'B', content: 'She lit it.' },
        ],
      },
    })
    expect(many).toMatchObject({ success: [{ title: 'B' }], failures: [{ index: 0 }] })
    expect((await decisions()).map(({ source }) => source).sort()).toEqual([
      ...['create', 'create', 'create', 'create', 'edit', 'edit', 'import', 'import'],
    ])
  })

  test('holds a text that a high-severity rule matches, visible only to operators', async () => {
    await addRule({ severity: 'high' })
    const response = await makeItem('A lantern.')
    expect(response.status).toBe(201)
    const item = await response.json()
    expect(item).toMatchObject({
      status: 'held',
      warnings: ['Held for review: No lanterns (content, word 2)'],
    })
    expect(await browser(app).json('/api/content')).toEqual([])
    expect((await browser(app).call(`/api/content/${item.id}`)).status).toBe(404)
    expect(await operator.json('/api/premium-content')).toMatchObject({ content: [{ id: item.id }] })
    expect(await operator.json('/api/held-content')).toMatchObject([
      {
        id: item.id,
        heldFrom: 'published',
        findings: [
          {
            description: 'No lanterns.',
            severity: 'high',
            places: [{ field: 'content', text: 'A lantern.' }],
          },
        ],
      },
    ])
  })

  test('publishes a text that a medium or low-severity rule matches, with a warning', async () => {
    await addRule({ severity: 'medium' })
    await addRule({ severity: 'low', keywords: ['lamp'], description: '' })
    const item = await (await makeItem('A lantern and a lamp, and a lantern.')).json()
    expect(item).toMatchObject({
      status: 'published',
      warnings: [
        'Guideline: No lanterns (content, word 2, and 1 more place)',
        'Guideline: “lamp” (content, word 5)',
      ],
    })
    expect((await decisions()).map(({ decision, storyId }) => [decision, storyId])).toEqual([
      ['warned', item.id],
      ['warned', item.id],
    ])
  })

  test('applies a rule only to items of its categories', async () => {
    await addRule({ categories: ['bdsm', 'roleplay'] })
    expect((await makeItem('A lantern.', { categories: ['romantic'] })).status).toBe(201)
    expect((await makeItem('A lantern.', { categories: ['romantic', 'bdsm'] })).status).toBe(422)
  })

  test('ignores what the rule allows', async () => {
    await addRule({ allowed: ['paper lantern'] })
    expect((await makeItem('A paper lantern.')).status).toBe(201)
    expect((await makeItem('A paper lantern, a lantern.')).status).toBe(422)
  })

  test('ignores positive keywords and content rules, which are for prompts', async () => {
    await addRule({ ruleType: 'positive_keywords' })
    await addRule({ ruleType: 'content_rules' })
    expect((await makeItem('A lantern.')).status).toBe(201)
  })

  test('rejects or holds single rows of an import and reports both', async () => {
    await addRule({ keywords: ['lantern'] })
    await addRule({ keywords: ['lamp'], severity: 'high', description: 'Lamps are looked at.' })
    const rows = [
      { title: 'A', content: 'A lantern.' },
      { title: 'B', content: 'A lamp.' },
      { title: 'C', content: 'A candle.' },
    ]
    const answer = await operator.json('/api/premium-content/bulk', { json: { items: rows } })
    expect(answer).toMatchObject({
      success: [
        { title: 'B', status: 'held' },
        { title: 'C', status: 'published' },
      ],
      failures: [{ index: 0, error: expect.stringContaining('No lanterns') }],
      warnings: ['Row 2: Held for review: Lamps are looked at (content, word 2)'],
    })
    const changed = await operator.json('/api/premium-content/bulk', {
      json: { items: [{ title: 'C', content: 'A lamp after all.' }] },
    })
    expect(changed).toMatchObject({ success: [{ title: 'C', status: 'held' }] })
    const [, batch] = (await operator.json('/api/imports')).toReversed()
    await operator.call(`/api/imports/${batch.id}/undo`, { method: 'POST', json: {} })
    expect(await browser(app).json('/api/content')).toMatchObject([{ title: 'C' }])
  })
})

describe('library scan', () => {
  test('holds or warns about existing items that match, each once, and is not queued twice', async () => {
    const dark = await publishTestItem(services, { title: 'Dark', content: 'A lantern.' })
    const bright = await publishTestItem(services, { title: 'Bright', content: 'A candle.' })
    await addRule()
    const { id } = await addRule({ keywords: ['candle'], severity: 'low' })
    expect(await scan()).toEqual({ read: 2, held: 1, warned: 0, released: 0 })
    expect(await statusOf(dark.id)).toBe('held')
    expect(await statusOf(bright.id)).toBe('published')
    expect(await browser(app).json('/api/content')).toMatchObject([{ title: 'Bright' }])
    await db.delete(jobs)
    await scanByBuiltIn(db)
    await scanByBuiltIn(db)
    expect(await scan()).toEqual({ read: 2, held: 0, warned: 1, released: 0 })
    expect(await takeJob(db, [scanKind])).toBeNull()
    await enqueueScan(db, id, { by: 'Ada' })
    expect(await scan()).toEqual({ read: 2, held: 0, warned: 0, released: 0 })
  })

  test('is not repeated for the same built-in rules, even after old jobs are deleted', async () => {
    await db.delete(jobs)
    await scanByBuiltIn(db)
    expect(await runScans(db)).toHaveLength(1)
    await db.update(jobs).set({ finishedAt: sql`now() - interval '90 days'` })
    await pruneJobs(db)
    await scanByBuiltIn(db)
    expect(await takeJob(db, [scanKind])).toBeNull()
  })
})

describe('rule tester', () => {
  const tryText = (json: Record<string, unknown>) => operator.json(`${rules}/test`, { json })

  test('shows each match with its place and rule, and stores nothing', async () => {
    const { id } = await addRule({ severity: 'high', categories: ['bdsm'] })
    expect(await tryText({ text: 'One l a n t e r n.' })).toEqual({
      decision: 'held',
      matches: [
        {
          ruleId: id,
          severity: 'high',
          description: 'No lanterns.',
          builtIn: false,
          version: 1,
          categories: ['bdsm'],
          applies: true,
          field: 'content',
          keyword: 'lantern',
          text: 'l a n t e r n',
          start: 4,
          end: 17,
          firstWord: 2,
          lastWord: 8,
        },
      ],
    })
    expect(await tryText({ text: 'One lantern.', categories: ['romantic'] })).toMatchObject({
      decision: 'passed',
      matches: [{ applies: false }],
    })
    expect(await tryText({ text: 'Age play.' })).toMatchObject({ decision: 'refused' })
    expect(await decisions()).toEqual([])
  })

  test('tries a rule before it is saved', async () => {
    await addRule()
    expect(
      await tryText({ text: 'A lantern, a lamp.', rule: { keywords: 'lamp', severity: 'low' } }),
    ).toMatchObject({ decision: 'warned', matches: [{ ruleId: null, keyword: 'lamp' }] })
  })
})

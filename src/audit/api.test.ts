import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { auditLog, jobs, stories } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { changesAtOnce } from './export'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
const visitor = browser(app)
const member = await memberBrowser(app, 'mara@example.com')

type Entry = { name: string | null; sentence: string; actor: string; after: { title?: string } | null }
const entries = async (query = ''): Promise<Entry[]> => operator.json(`/api/audit${query}`)
const sentences = async (query: string) => (await entries(query)).map(({ sentence }) => sentence)
const page = async (query = '') => (await operator.call(`/audit${query}`)).text()

test('the audit log and its export reject visitors and members', async () => {
  for (const each of [visitor, member]) {
    for (const path of ['/api/audit', '/api/audit/export']) expect((await each.call(path)).status).toBe(401)
    expect(await (await each.call('/audit')).text()).not.toContain('What happened')
  }
  expect((await operator.call('/api/audit/export')).status).toBe(200)
})

describe('audit log', () => {
  let ferry = ''
  beforeAll(async () => {
    await db.delete(auditLog)
    ferry = (await publishTestItem(services, { title: 'The Night Ferry' })).id
    const kite = (await publishTestItem(services, { title: 'The Kite' })).id
    await db.delete(auditLog)
    const about = { subjectType: 'item', subjectId: ferry } as const
    await recordChange(db, 'Ada', {
      action: 'edit',
      ...about,
      before: { duration: 15 },
      after: { duration: 20 },
    })
    await recordChange(db, 'Jonas', { action: 'remove', subjectType: 'item', subjectId: kite })
    await recordChange(db, 'Jonas', {
      action: 'set',
      subjectType: 'feature flag',
      subjectId: 'memberSharing',
    })
    await recordChange(db, 'nocturne', {
      action: 'import',
      subjectType: 'import',
      after: { kind: 'paste' },
      items: [{ id: ferry, title: 'The Night Ferry', verdict: 'update', fields: ['content'] }],
    })
  })

  test('lists sentences with titles in pages, newest first', async () => {
    expect(await sentences('?limit=2')).toEqual([
      'imported pasted rows',
      'changed the switch “Sharing by members”',
    ])
    const first = await operator.call('/api/audit?limit=2')
    expect(first.headers.get('x-total-count')).toBe('4')
    const next = new URL(first.headers.get('link')?.match(/<(.+)>/)?.[1] ?? '')
    const rest: Entry[] = await operator.json(next.pathname + next.search)
    expect(rest.map(({ actor, sentence }) => `${actor} ${sentence}`)).toEqual([
      'Jonas removed “The Kite”',
      'Ada edited “The Night Ferry”',
    ])
    const html = await page()
    expect(html).toContain('“The Night Ferry”</a>')
    expect(html).toContain('<del>15</del><ins>20</ins>')
    expect(html).not.toContain(`>${ferry}<`)
  })

  test('filters by person, action, item and day, and ignores empty fields', async () => {
    expect(await sentences('?actor=Jonas')).toHaveLength(2)
    expect(await sentences('?action=item.edit')).toEqual(['edited “The Night Ferry”'])
    expect(await sentences('?item=night%20fer')).toEqual(['imported pasted rows', 'edited “The Night Ferry”'])
    expect(await sentences(`?item=${ferry}`)).toHaveLength(2)
    expect(await sentences('?item=nothing')).toEqual([])
    const today = new Date().toISOString().slice(0, 10)
    expect(await sentences(`?from=${today}&to=${today}`)).toHaveLength(4)
    expect(await sentences('?to=2020-01-01')).toEqual([])
    const html = await page('?actor=Ada&action=&item=&from=&to=')
    expect(html).toContain('The Night Ferry')
    expect(html).not.toContain('The Kite')
    expect(html).toContain('data-count="">1 change</')
    expect(await page()).toContain('data-count="">4 changes</')
  })

  test('rejects an invalid day, action or cursor with 422', async () => {
    for (const day of ['2026-13-40', '2026-02-30', '0000-01-01'])
      expect([day, (await operator.call(`/api/audit?from=${day}`)).status]).toEqual([day, 422])
    expect((await operator.call('/api/audit?from=2028-02-29&to=2028-01-01')).status).toBe(200)
    expect((await operator.call('/api/audit/export?to=tomorrow')).status).toBe(422)
    expect((await operator.call('/api/audit?action=item.fly')).status).toBe(422)
    expect((await operator.call('/api/audit?cursor=nothing')).status).toBe(422)
    expect((await operator.call('/audit?cursor=nothing')).status).toBe(422)
  })

  test('exports CSV with the same filters as the list', async () => {
    const answer = await operator.call('/api/audit/export?actor=Ada')
    expect(answer.headers.get('content-type')).toContain('text/csv')
    const lines = (await answer.text()).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('"Ada","edited “The Night Ferry”","duration: 15","duration: 20","0","item"')
  })

  test('links a narration to its job without showing the job’s id', async () => {
    const [job] = await db
      .insert(jobs)
      .values({ kind: 'narrate', storyId: ferry, dedupeKey: 'narrate ferry', payload: { voice: 'female' } })
      .returning({ id: jobs.id })
    if (!job) throw new Error('An insert answered no row.')
    const after = { voice: 'female', jobId: job.id }
    await recordChange(db, 'Ada', { action: 'narrate', subjectType: 'item', subjectId: ferry, after })
    const shown = await page('?action=item.narrate')
    expect(shown).toContain(`<a href="/jobs?job=${job.id}">queued to narrate it</a>`)
    expect(shown).not.toContain('jobId')
    const jobPage = async (id: string) => (await operator.call(`/jobs?job=${id}`)).text()
    expect(await jobPage(job.id)).toContain('<strong>The Night Ferry</strong>')
    expect(await jobPage('no-id')).toContain('There is no such job.')
  })

  test('names a member, guideline or example whose entry is alone on the page', async () => {
    const { id: memberId } = member
    const guideline = await operator.json('/api/content-guidelines', {
      json: { keywords: ['skylight', 'dormer'], severity: 'low', category: 'style' },
    })
    const example = await operator.json('/api/training-examples', {
      json: { inputPrompt: 'Rain on a roof', expectedOutput: 'It rained.', categories: [] },
    })
    await recordChange(db, 'Ada', { action: 'suspend', subjectType: 'member', subjectId: memberId })
    await operator.call(`/api/content-guidelines/${guideline.id}`, { method: 'DELETE' })
    await operator.call(`/api/training-examples/${example.id}`, { method: 'DELETE' })
    expect(await sentences('?action=member.suspend')).toEqual(['suspended mara@example.com'])
    expect(await sentences('?action=guideline.remove')).toEqual(['removed the guideline “skylight, dormer”'])
    expect(await sentences('?action=example.remove')).toEqual([
      'removed the training example “Rain on a roof”',
    ])
  })

  test('names a removed item as recorded, and never a member’s private story', async () => {
    const { id: memberId } = member
    const [own] = await db
      .insert(stories)
      .values({ title: 'Only Mine', titleKey: 'only mine', slug: 'only-mine', userId: memberId })
      .returning({ id: stories.id })
    await recordChange(db, 'Ada', {
      action: 'open_members_story',
      subjectType: 'item',
      subjectId: own?.id,
    })
    await recordChange(db, 'Ada', {
      action: 'remove',
      subjectType: 'item',
      subjectId: crypto.randomUUID(),
      before: { title: 'The Well' },
    })
    await recordChange(db, 'Ada', { action: 'suspend', subjectType: 'member', subjectId: memberId })
    expect(await sentences('?limit=3')).toEqual([
      'suspended mara@example.com',
      'removed “The Well”',
      'opened the text of a member’s story',
    ])
    expect(await sentences('?item=only')).toEqual([])
  })

  test('exports every row when they fill several batches or exactly one', async () => {
    for (const [actor, count] of [
      ['Mara', 2 * changesAtOnce + 1],
      ['Iris', changesAtOnce],
    ] as const) {
      await db.execute(sql`
        insert into audit_log (id, actor, action, subject_type, subject_id)
        select gen_random_uuid(), ${actor}, 'edit', 'item', gen_random_uuid()::text from generate_series(1, ${count}::int)`)
      const answer = await operator.call(`/api/audit/export?actor=${actor}`)
      const ids = (await answer.text())
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',').at(-1))
      expect([ids.length, new Set(ids).size]).toEqual([count, count])
    }
  })
})

import { expect, test } from 'bun:test'
import { eq, inArray, sql } from 'drizzle-orm'
import { pruneRemovals } from '#db/changes'
import { challenges, stories } from '#db/schema'
import {
  type Browser,
  browser,
  memberBrowser,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
const visitor = browser(app)
type Entry = { id: string; title?: string; removedAt?: string }
const path = (list: string, since: string, rest = '') =>
  `${list}?updatedSince=${encodeURIComponent(since)}&include=removed${rest}`
const write = async (address: string, method: string, json?: object) => {
  const answer = await operator.call(address, { method, ...(json && { json }) })
  expect(answer.status).toBeLessThan(300)
  return answer.json()
}

test('updatedSince returns each change and removal once, in pages, and reveals no drafts to visitors', async () => {
  const [harbour, lamp, ferry, pier] = await Promise.all(
    ['The Harbour', 'The Lamp', 'The Ferry', 'The Pier'].map(
      async (title) => (await publishTestItem(services, { title })).id,
    ),
  )
  const draft = (
    await write('/api/premium-content', 'POST', { title: 'The Quay', content: 'Not yet.', status: 'draft' })
  ).id
  const since = new Date().toISOString()
  await write(`/api/premium-content/${lamp}`, 'PUT', { title: 'The Lantern' })
  await write(`/api/premium-content/${ferry}`, 'PUT', { status: 'draft' })
  await write(`/api/premium-content/${draft}`, 'DELETE')
  await write('/api/premium-content', 'PATCH', { ids: [pier], change: 'remove' })
  await write(`/api/premium-content/${harbour}`, 'DELETE')
  await write(`/api/premium-content/${harbour}/restore`, 'POST')

  // The changes reveal nothing to a visitor about items that were never published.
  const read = await readPages(visitor, path('/api/content', since, '&limit=1'))
  expect(read.map(({ id, title, removedAt }) => [id, title ?? typeof removedAt])).toEqual([
    [lamp ?? '', 'The Lantern'],
    [ferry ?? '', 'string'],
    [pier ?? '', 'string'],
    [harbour ?? '', 'The Harbour'],
  ])
  expect(await visitor.json(`/api/stories?updatedSince=${since}`)).toHaveLength(2)

  const { content, removed } = await operator.json(path('/api/premium-content', since))
  expect(content.map(({ id }: Entry) => id)).toEqual([lamp, ferry, harbour])
  expect(removed.map(({ id }: Entry) => id)).toEqual([draft, pier])
  const later = content.at(-1).updatedAt
  expect((await operator.json(`/api/premium-content?updatedSince=${later}`)).content).toHaveLength(1)
})

test('updatedSince returns hard-deleted items, and 422 for a time before the oldest stored removal', async () => {
  const { id } = await publishTestItem(services, { title: 'The Boat' })
  const since = new Date().toISOString()
  await db.execute(sql`delete from stories where id = ${id}`)
  expect(await visitor.json(path('/api/content', since))).toEqual([{ id, removedAt: expect.any(String) }])
  await db.execute(sql`update removals set removed_at = now() - interval '91 days' where id = ${id}`)
  await pruneRemovals(db)
  expect((await db.execute(sql`select 1 from removals where id = ${id}`)).length).toBe(0)
  expect((await visitor.call(path('/api/content', '2020-01-01T00:00:00Z'))).status).toBe(422)
})

test.each([
  ['/api/admin/challenges', '/api/challenges', { name: 'Ten Evenings', items: [] }],
  [
    '/api/content-guidelines',
    '/api/content-guidelines',
    { ruleType: 'negative_keywords', keywords: ['gloomful'], severity: 'low' },
  ],
  [
    '/api/training-examples',
    '/api/training-examples',
    { inputPrompt: 'A ferry', expectedOutput: 'The last boat left.' },
  ],
])('%s returns changed and removed entries since a time', async (list, make, json) => {
  await write(make, 'POST', json)
  const gone = await write(make, 'POST', json)
  const since = new Date().toISOString()
  const { id } = await write(make, 'POST', json)
  await write(`${make}/${gone.id}`, 'DELETE')
  const changes: Entry[] = await operator.json(path(list, since))
  expect(changes.map(({ id, removedAt }) => [id, typeof removedAt])).toEqual([
    [id, 'undefined'],
    [gone.id, 'string'],
  ])
})

test('an unpublished challenge is returned as removed from the published ones', async () => {
  const { id: item } = await publishTestItem(services, { title: 'A Flow', type: 'flow' })
  const draft = { name: 'Nine Evenings', items: [item], isPublished: true }
  const { id } = await write('/api/challenges', 'POST', draft)
  const since = new Date().toISOString()
  await write(`/api/challenges/${id}`, 'PUT', { ...draft, isPublished: false })
  expect(await visitor.json(path('/api/challenges', since))).toEqual([{ id, removedAt: expect.any(String) }])
  await write(`/api/challenges/${id}`, 'PUT', draft)
  expect(await visitor.json(path('/api/challenges', since))).toMatchObject([{ id, name: 'Nine Evenings' }])
})

test('updatedSince pages through members for an operator, and through own content for a member', async () => {
  const [ana, ben] = [
    await memberBrowser(app, 'ana@example.com'),
    await memberBrowser(app, 'ben@example.com'),
  ]
  const mine: Entry = await ana.json('/api/user/content', {
    json: { title: 'My Own', content: 'It was late.', categories: ['romantic'] },
  })
  const [saved, later] = [
    await publishTestItem(services, { title: 'Saved' }),
    await publishTestItem(services, { title: 'Saved Later' }),
  ]
  const save = ({ id }: Entry) =>
    ana.call('/api/content-favorites', { json: { contentKey: `pre_uploaded:story:${id}` } })
  await save(saved)
  await memberBrowser(app, 'carl@example.com')
  const { id: benId } = ben
  const since = new Date().toISOString()
  await write(`/api/members/${benId}/suspension`, 'POST', { reason: 'A pause.' })
  await memberBrowser(app, 'dora@example.com')
  await save(later)
  await ana.call(`/api/user/content/${mine.id}`, { method: 'PUT', json: { title: 'My Very Own' } })

  const changesOf = (list: string) => `${list}?updatedSince=${since}&limit=1`
  const members = await readPages<{ email: string }>(operator, changesOf('/api/members'))
  expect(members.map(({ email }) => email)).toEqual(['ben@example.com', 'dora@example.com'])
  const content = await readPages(ana, changesOf('/api/user/content'))
  expect(content.map(({ title }) => title)).toEqual(['Saved Later', 'My Very Own'])
  for (const [who, list] of [
    [operator, '/api/members'],
    [ana, '/api/user/content'],
  ] as const)
    for (const query of ['updatedSince=yesterday', `updatedSince=${since}&cursor=x`])
      expect((await who.call(`${list}?${query}`)).status).toBe(422)
})

test('updatedSince returns held items, import drafts and feature flags to an operator', async () => {
  const hold = async (title: string) => {
    const { id } = await publishTestItem(services, { title })
    await db.update(stories).set({ status: 'held' }).where(eq(stories.id, id))
    return id
  }
  const [, early] = [
    await hold('Held Before'),
    await operator.json('/api/import-drafts', { json: { files: [] } }),
  ]
  await write('/api/feature-flags', 'PATCH', { memberSharing: false })
  const since = new Date().toISOString()
  const ids = [await hold('Held'), await hold('Held Later')]
  const draft = await operator.json('/api/import-drafts', { json: { files: [] } })
  await write(`/api/import-drafts/${early.id}/files`, 'PUT', {
    files: [{ fileName: 'moon.mp3', sizeBytes: 9 }],
  })
  await write('/api/feature-flags', 'PATCH', { registrationOpen: false })
  await write('/api/feature-flags', 'PATCH', { registrationOpen: null })

  const held = await readPages(operator, `/api/held-content?updatedSince=${since}&limit=1`)
  expect(held.map(({ id }) => id)).toEqual(ids)
  const drafts: Entry[] = await operator.json(`/api/import-drafts?updatedSince=${since}`)
  expect(drafts.map(({ id }) => id)).toEqual([draft.id, early.id])
  const flags = await operator.json(`/api/feature-flags?updatedSince=${since}`)
  expect(flags.map(({ name }: { name: string }) => name)).toEqual(['registrationOpen'])
  for (const list of ['held-content', 'import-drafts', 'feature-flags'])
    expect((await operator.call(`/api/${list}?updatedSince=yesterday`)).status).toBe(422)
})

test('a challenge’s flow counts as changed in My Content when its day opens', async () => {
  const eva = await memberBrowser(app, 'eva@example.com')
  const flows = [
    await publishTestItem(services, { title: 'Day One', type: 'flow' }),
    await publishTestItem(services, { title: 'Day Two', type: 'flow' }),
  ]
  const items = flows.map(({ id }) => id)
  const { id } = await write('/api/challenges', 'POST', { name: 'Two Evenings', items, isPublished: true })
  await eva.call('/api/user/challenges', { json: { challengeId: id, timeZone: 'UTC' } })
  const before = sql`now() - interval '9 days'`
  await db.update(stories).set({ updatedAt: before }).where(inArray(stories.id, items))
  await db.update(challenges).set({ updatedAt: before }).where(eq(challenges.id, id))
  const [{ since } = { since: '' }] = await db.execute<{ since: string }>(sql`
    update challenge_enrolments set started_on = (now() at time zone 'UTC')::date - 1, created_at = ${before}
    returning to_char((started_on + 1)::timestamp, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since`)
  const opened = await readPages(eva, `/api/user/content?updatedSince=${since}`)
  expect(opened.map(({ title }) => title)).toEqual(['Day Two'])
})

/** Reads all pages of a list by following their links. */
async function readPages<T = Entry>(who: Browser, first: string): Promise<T[]> {
  const read: T[] = []
  let next: string | null = first
  while (next) {
    const answer = await who.call(next)
    read.push(...(await answer.json()))
    next = answer.headers.get('link')?.match(/<[^>]*?(\/api[^>]*)>/)?.[1] ?? null
  }
  return read
}

test.each(['updatedSince=yesterday', 'updatedSince=2026-13-01T00:00:00Z', 'include=removed', 'include=all'])(
  'a list rejects %s with 422',
  async (query) => {
    for (const list of ['/api/content', '/api/premium-content', '/api/challenges'])
      expect((await operator.call(`${list}?${query}`)).status).toBe(422)
  },
)

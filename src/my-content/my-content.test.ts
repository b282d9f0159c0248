import { describe, expect, test } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import { audioFiles, favorites, narrations, stories, users } from '#db/schema'
import { createChallenge } from '#src/challenge/edit'
import { type Browser, browser, memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import { urls } from '#src/urls'
import { listUserContentPage, type UserContentCard, userContentPageItems } from './page-queries'

const { app, services } = await testApp()
const { db } = services
const mara = await memberBrowser(app, 'mara@example.com')
const [member] = await db.select().from(users)
const memberId = member?.id ?? ''

const drafts = [
  { title: 'The Night Ferry', type: 'story', duration: 12 },
  { title: 'Salt Air', type: 'story', duration: 5 },
  { title: 'Warm Hands', type: 'flow', duration: 8 },
] as const
const items = []
for (const draft of drafts) items.push(await publishTestItem(services, { ...draft }))
for (const [at, { id }] of items.entries())
  await db
    .insert(favorites)
    .values({ userId: memberId, storyId: id, createdAt: new Date(Date.UTC(2026, 0, 1 + at)) })

const titlesOf = async (filter: Parameters<typeof listUserContentPage>[2]) =>
  titlesOfCards((await listUserContentPage(db, memberId, filter)).items)
async function titlesOfCards(cards: readonly UserContentCard[]): Promise<string[]> {
  const ids = cards.map(({ id }) => id)
  const rows = await db
    .select({ id: stories.id, title: stories.title })
    .from(stories)
    .where(inArray(stories.id, ids))
  return ids.flatMap((id) => rows.find((row) => row.id === id)?.title ?? [])
}
const pageOf = async (path: string, by: Browser = mara) => (await by.call(path)).text()

describe('My Content list', () => {
  test('is sorted newest first, oldest first or by duration', async () => {
    expect(await titlesOf({})).toEqual(['Warm Hands', 'Salt Air', 'The Night Ferry'])
    expect(await titlesOf({ sort: 'oldest' })).toEqual(['The Night Ferry', 'Salt Air', 'Warm Hands'])
    expect(await titlesOf({ sort: 'duration' })).toEqual(['Salt Air', 'Warm Hands', 'The Night Ferry'])
  })

  test('is filtered by text and type, and counts what the search matches', async () => {
    expect(await titlesOf({ q: 'ferr' })).toEqual(['The Night Ferry'])
    expect((await listUserContentPage(db, memberId, { q: 'ferr' })).counts).toEqual({
      all: 1,
      story: 1,
      flow: 0,
    })
    expect(await titlesOf({ type: 'flow' })).toEqual(['Warm Hands'])
    const html = await pageOf('/my-content?type=flow')
    for (const words of ['All Content (3)', 'Stories (2)', 'Flows (1)']) expect(html).toContain(words)
    expect(html).toContain('Warm Hands')
    expect(html).not.toContain('Salt Air')
  })

  test('accepts empty form fields and rejects an unknown type or page', async () => {
    expect((await mara.call('/my-content?q=&type=&sort=newest')).status).toBe(200)
    expect((await mara.call('/my-content?type=poem')).status).toBe(422)
    expect((await mara.call('/my-content?page=0')).status).toBe(422)
  })

  test('shows an empty state when nothing is saved and when nothing matches', async () => {
    const visited = await pageOf('/my-content', browser(app))
    expect(visited).toContain('No saved content yet')
    expect(visited).toContain('href="/sign-in?next=%2Fmy-content"')
    expect(await pageOf('/my-content', await memberBrowser(app, 'ines@example.com'))).toContain(
      'No saved content yet',
    )
    expect(await pageOf('/my-content?q=zebra')).toContain('Nothing found')
  })
})

test('a saved item shows its changes on the next request and disappears as a draft', async () => {
  const item = await publishTestItem(services, { title: 'A Quiet Room' })
  await mara.call('/api/content-favorites', { json: { contentKey: `pre_uploaded:story:${item.id}` } })
  const isItem = eq(stories.id, item.id)
  const isShown = async (words: string) => (await pageOf('/my-content')).includes(words)
  expect([await isShown('A Quiet Room'), await isShown('All Content (4)')]).toEqual([true, true])
  await db.update(stories).set({ title: 'A Loud Room' }).where(isItem)
  expect([await isShown('A Quiet Room'), await isShown('A Loud Room')]).toEqual([false, true])
  const audioOf = urls.premiumAudio(item.id, 'female')
  expect(await isShown(audioOf)).toBe(false)
  await db
    .insert(audioFiles)
    .values({ hash: 'b'.repeat(64), extension: 'mp3', sizeBytes: 1, durationSeconds: 1 })
  await db
    .insert(narrations)
    .values({ storyId: item.id, voice: 'female', provider: 'upload', audioHash: 'b'.repeat(64) })
  expect(await isShown(audioOf)).toBe(true)
  await db.update(stories).set({ status: 'draft' }).where(isItem)
  expect([await isShown('A Loud Room'), await isShown('All Content (3)')]).toEqual([false, true])
})

test('challenges have their own section with the flows open so far, apart from saved items', async () => {
  const flows = []
  for (const title of ['First Breath', 'Second Breath', 'Third Breath', 'Fourth Breath'])
    flows.push((await publishTestItem(services, { title, type: 'flow' })).id)
  const { id } = await createChallenge(db, { name: 'Four Breaths', items: flows, isPublished: true }, 'Ada')
  await mara.json('/api/user/challenges', { json: { challengeId: id, timeZone: 'UTC' } })
  const html = await pageOf('/my-content')
  for (const words of [
    'Active Challenges',
    'Day 1/4',
    'Next: Today',
    'Recent Challenge Flows',
    'First Breath',
  ])
    expect(html).toContain(words)
  expect(html).toContain('All Content (3)')
  expect(html).not.toContain('Second Breath')
})

test('a list of 2,000 items is shown in pages of fifty with the full count', async () => {
  await db.execute(`
    insert into stories (id, slug, title, title_key, type, source, status, content, word_count, categories, duration, voice, published_at)
    select gen_random_uuid(), 'many-' || n, 'Many ' || n, 'many ' || n, 'story', 'pre_uploaded', 'published', 'Rain.', 1, '{romantic}', 10, 'female', now()
    from generate_series(1, 2000) as n`)
  await db.execute(`
    insert into favorites (id, user_id, story_id)
    select gen_random_uuid(), '${memberId}', id from stories where slug like 'many-%'`)
  const first = await listUserContentPage(db, memberId, {})
  expect(first.items).toHaveLength(userContentPageItems)
  expect(first.counts).toEqual({ all: 2_003, story: 2_002, flow: 1 })
  expect(first.hasMore).toBe(true)
  const last = await listUserContentPage(db, memberId, { page: 41 })
  expect(await titlesOfCards(last.items)).toEqual(['Warm Hands', 'Salt Air', 'The Night Ferry'])
  expect(last.hasMore).toBe(false)
  const beyond = await listUserContentPage(db, memberId, { page: 42 })
  expect(beyond).toMatchObject({ items: [], counts: first.counts, hasMore: false })
})

test('own and saved items are merged by time, each once, across pages and in both orders', async () => {
  const { id } = await memberBrowser(app, 'tom@example.com')
  const count = 120
  // Every third item is the member's own, and groups of five have the same time.
  await db.execute(`
    with made as (
      insert into stories (id, slug, title, title_key, type, source, status, content, categories, user_id, created_at)
      select gen_random_uuid(), 'mixed-' || n, 'Mixed ' || n, 'mixed ' || n, 'story',
        case when n % 3 = 0 then 'user_generated' else 'pre_uploaded' end, 'published', 'Rain.', '{romantic}',
        case when n % 3 = 0 then '${id}'::uuid end, timestamptz '2026-02-01' + (n / 5) * interval '1 minute'
      from generate_series(1, ${count}) as n returning id, source, created_at)
    insert into favorites (id, user_id, story_id, created_at)
    select gen_random_uuid(), '${id}', id, created_at from made where source = 'pre_uploaded'`)
  for (const sort of ['newest', 'oldest'] as const) {
    const pages = await Promise.all([1, 2, 3].map((page) => listUserContentPage(db, id, { sort, page })))
    const entries = pages.flatMap(({ items }) => items)
    expect(pages.map(({ counts }) => counts)).toEqual(Array(3).fill({ all: count, story: count, flow: 0 }))
    expect(entries.filter(({ isOwn }) => isOwn)).toHaveLength(count / 3)
    const keys = entries.map((entry) => `${entry.at} ${entry.id}`)
    expect(new Set(keys).size).toBe(count)
    expect(keys).toEqual(sort === 'oldest' ? keys.toSorted() : keys.toSorted().reverse())
  }
})

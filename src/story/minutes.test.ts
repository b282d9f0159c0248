import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { stories } from '#db/schema'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'

/** The minutes of an item are the length of its narration, if it has one, everywhere; otherwise the stated duration. */
const { app, services } = await testApp({ AGE_GATE: 'off' })
const { db } = services
const measured = await publishTestItem(services, { title: 'Measured', duration: 14 })
await publishTestItem(services, { title: 'Stated', duration: 9 })
const tiny = await publishTestItem(services, { title: 'Tiny', duration: 14 })
const hear = (id: string, seconds: number | null) =>
  db.update(stories).set({ audioDurationSeconds: seconds }).where(eq(stories.id, id))
await hear(measured.id, 333)
await hear(tiny.id, 4)

const visitor = browser(app)
const listed = async (query = '') => {
  const items = await (await visitor.call(`/api/content?limit=50${query}`)).json()
  return items.map(({ title, duration }: { title: string; duration: number }) => `${title} ${duration}`)
}

test('lists show and sort by measured minutes, also across pages', async () => {
  expect((await listed()).toSorted()).toEqual(['Measured 6', 'Stated 9', 'Tiny 1'])
  expect(await listed('&sort=duration')).toEqual(['Tiny 1', 'Measured 6', 'Stated 9'])
  const page = await visitor.call('/api/content?limit=1&sort=duration')
  const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
  const [second] = await (await visitor.call(new URL(next).pathname + new URL(next).search)).json()
  expect(second.title).toBe('Measured')
})

test('the length filter and its total use measured minutes', async () => {
  expect(await listed('&length=short')).toEqual(['Tiny 1'])
  expect((await listed('&length=medium')).toSorted()).toEqual(['Measured 6', 'Stated 9'])
  expect(await listed('&length=long')).toEqual([])
  const counted = await visitor.call('/api/content?length=medium&limit=1')
  expect(counted.headers.get('x-total-count')).toBe('2')
  expect((await visitor.call('/api/content?length=endless')).status).toBe(422)
  expect(await (await visitor.call('/stories?length=endless')).text()).toContain(
    'Length must be one of: short, medium, long.',
  )
  const page = await (await visitor.call('/?length=long')).text()
  expect(['No stories found', 'New on the shelf', 'View All'].every((words) => page.includes(words))).toBe(
    true,
  )
})

test('pages, My Content and the console show measured minutes, and the editor the stated ones', async () => {
  const page = (await (await visitor.call('/')).text()).replaceAll('<!-- -->', '')
  expect(['1 min', '6 min', '9 min', '14 min'].map((each) => page.includes(each))).toEqual([
    true,
    true,
    true,
    false,
  ])
  const member = await memberBrowser(app, 'mara@example.com')
  await member.call('/api/content-favorites', {
    json: { contentKey: `pre_uploaded:story:${measured.id}` },
  })
  const [saved] = await (await member.call('/api/user/content')).json()
  expect(saved.duration).toBe(6)
  const operator = await operatorBrowser(app)
  const item = await (await operator.call(`/api/premium-content/${measured.id}`)).json()
  expect(item.duration).toBe(14)
  const library = (await (await operator.call('/premium-content')).text()).replaceAll('<!-- -->', '')
  expect(library.includes('6\u00a0min')).toBe(true)
})

test('an item without a narration shows its stated duration', async () => {
  await hear(tiny.id, null)
  const item = await (await visitor.call(`/api/content/${tiny.id}`)).json()
  expect(item.duration).toBe(14)
})

import { expect, test } from 'bun:test'
import { type Browser, browser, memberBrowser, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()

test('a member’s favourites and progress never appear in other people’s lists', async () => {
  const items = await Promise.all(
    ['The Harbour', 'The Loft', 'The Veranda'].map((title) => publishTestItem(services, { title })),
  )
  const [loved, begun] = items
  const paths = ['/', '/stories']
  const [ada, ben, visitor] = [
    await memberBrowser(app, 'ada@example.com', '10.1.2.1'),
    await memberBrowser(app, 'ben@example.com', '10.1.2.2'),
    browser(app, '10.1.2.3'),
  ]
  const pagesOf = (person: Browser) =>
    Promise.all(paths.map(async (path) => (await person.call(path)).text()))
  const before = { ben: await pagesOf(ben), visitor: await pagesOf(visitor) }

  const contentKey = `pre_uploaded:story:${loved?.id}`
  expect((await ada.call('/api/content-favorites', { json: { contentKey } })).ok).toBe(true)
  const place = { contentId: begun?.id, contentType: 'story', lastPositionSec: 60, totalSec: 120 }
  expect((await ada.call('/api/analytics/progress', { json: place })).ok).toBe(true)
  const mine = await pagesOf(ada)
  expect(
    mine.map((page) => page.match(/class="icon-btn favourite" [^>]*aria-pressed="true"/g)?.length),
  ).toEqual([1, 1])
  expect(mine[1]).toContain('Left off at')

  expect(await pagesOf(ben)).toEqual(before.ben)
  expect(await pagesOf(visitor)).toEqual(before.visitor)
  expect(await pagesOf(ada)).toEqual(mine)
})

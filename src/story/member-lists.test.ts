import { expect, test } from 'bun:test'
import { type Browser, browser, markupOf, memberBrowser, publishTestItem, testApp } from '#src/testing/app'

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

test('the favourite button of each card is described by the title of its own card', async () => {
  const titles = ['Ferry', 'Reeds']
  for (const title of titles) await publishTestItem(services, { title })
  for (const path of ['/', '/stories']) {
    const cards = (await markupOf(await browser(app).call(path))).split('<article').slice(1)
    const described = cards.map((card) => {
      const titleId = card.match(/class="icon-btn favourite"[^>]*aria-describedby="([^"]+)"/)?.[1]
      return card.match(new RegExp(`id="${titleId}"[^>]*>([^<]+)</a>`))?.[1]
    })
    expect(described.filter((title) => title !== undefined)).toHaveLength(cards.length)
    expect(described).toEqual(expect.arrayContaining(titles))
  }
})

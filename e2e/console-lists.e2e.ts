import { expect, test } from 'bun:test'
import { imports, reports, storyFeedback } from '#db/schema'
import { publishTestItem } from '#src/testing/app'
import { openOperatorPage, openSite, seeFocus, watchReact } from '#src/testing/browser'

const site = await openSite({ AGE_GATE: 'off' })
const { db } = site.services
const titles = ['The Ferry', 'The Orchard', 'The Lamp']
for (const title of titles) {
  const { id } = await publishTestItem(site.services, { title })
  await db.insert(reports).values({ storyId: id, flagType: 'audio_fault', flagReason: 'It is silent.' })
  await db.insert(storyFeedback).values({ storyId: id, feedbackType: 'comment', comments: 'I stayed.' })
}

/** The lists of the console, and the maximum number of elements in a row of each. */
const lists = [
  { path: '/premium-content', row: '.library-row', elementsMax: 16 },
  { path: '/training', row: 'article', elementsMax: 12 },
  { path: '/members', row: 'main tbody tr', elementsMax: 12 },
  { path: '/moderation', row: 'article.flag', elementsMax: 24 },
  { path: '/feedback', row: 'article.flag', elementsMax: 16 },
  { path: '/audit', row: 'main tbody tr', elementsMax: 20 },
]

test('no list of the console fetches React before a press, and its rows have few elements', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin-login')
  const hasReact = watchReact(page)
  for (const { path, row, elementsMax } of lists) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect({ path, hasReact: await hasReact() }).toEqual({ path, hasReact: false })
    const elements = await page
      .locator(row)
      .evaluateAll((rows) => rows.map((each) => each.querySelectorAll('*').length))
    expect({ path, elements: elements.filter((count) => count > elementsMax) }).toEqual({
      path,
      elements: [],
    })
  }
  expect(complaints).toEqual([])
})

test('the press that loads React opens the pressed card’s editor on the same page', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content')
  await page.getByText('The Orchard').click()
  await page.getByRole('dialog', { name: 'Edit content' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(complaints).toEqual([])
})

test('x selects the focused row and ? opens the list of keys, each on its first press', async () => {
  const { page, complaints } = await openOperatorPage(site, '/moderation')
  await page.getByRole('link', { name: 'The Ferry' }).focus()
  await page.keyboard.press('x')
  await page.getByRole('region', { name: 'Selection' }).getByText('1 report selected').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  expect(complaints).toEqual([])
})

test('the link to older imports moves the focus to their heading, past the jobs above', async () => {
  await db.insert(imports).values(Array.from({ length: 51 }, () => ({ kind: 'items', by: 'Ada' })))
  const { page, complaints } = await openOperatorPage(site, '/jobs')
  await page.getByRole('link', { name: 'Older imports' }).press('Enter')
  await page.waitForURL('**/jobs?imports=*')
  await seeFocus(page.getByRole('heading', { name: 'Imports' }))
  expect(complaints).toEqual([])
})

import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { challengeEnrolments, stories } from '#db/schema'
import { seedDemo } from '#src/demo/seed'
import { memberPassword } from '#src/testing/app'
import { join, openOperatorPage, openPage, openSite, signIn } from '#src/testing/browser'
import { findFaults } from '#src/testing/find-faults'

/** Challenges from both sides: an operator creates one, a member takes part in it. */
const site = await openSite()
beforeAll(async () => {
  await seedDemo(site.services.db)
})

test('an operator creates a challenge of flows, reorders its days and publishes it', async () => {
  const { page, complaints } = await openOperatorPage(site, '/challenge-editor')
  await page.getByRole('link', { name: 'New challenge' }).click()
  await page.waitForURL('**/challenge-editor?id=new')
  await page.getByRole('form', { name: 'Challenge' }).getByLabel('Name').fill('Three Slow Evenings')
  await page
    .getByLabel('Description', { exact: true })
    .fill('A short flow before bed, three nights or as near as life allows.')
  for (const title of ['Warm Hands', 'A Slow Tide', 'Lantern Body Scan']) {
    await page.getByLabel('Words from its title or description').fill(title)
    await page.getByRole('button', { name: 'Search flows' }).click()
    await page.getByRole('button', { name: `Add ${title}` }).click()
  }
  const days = page.getByRole('list', { name: 'Days' })
  await page.getByRole('button', { name: 'Day 3 earlier' }).click()
  expect(await days.locator('.title-sm').allTextContents()).toEqual([
    'Warm Hands',
    'Lantern Body Scan',
    'A Slow Tide',
  ])
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.locator('.toast').getByText('Challenge published', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Three Slow Evenings', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Save changes' }).waitFor()
  expect(complaints).toEqual([])
})

test('a visitor previews a challenge, joins and begins it, and continues from My Content', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/challenges')
  await page.getByRole('link', { name: 'Look inside Three Slow Evenings' }).click()
  await page.getByRole('heading', { name: 'Three Slow Evenings', level: 1 }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Challenges' }).click()
  await page.getByRole('link', { name: 'Look inside Three Slow Evenings' }).click()
  await page.getByRole('link', { name: 'join free' }).click()
  const dialog = page.getByRole('dialog', { name: 'Join Nocturne FREE!' })
  await dialog.getByLabel('First name').fill('Mara')
  await dialog.getByLabel('Email').fill('mara@example.com')
  await dialog.getByLabel('Password').fill(memberPassword)
  await dialog.getByRole('button', { name: 'Create Account' }).click()
  await page.getByRole('button', { name: 'Begin today' }).click()
  await page.getByText('0 of 3 days. Next: Today.').waitFor()

  await page.getByRole('button', { name: 'Day 1 is Done' }).click()
  await page.getByText(/^1 of 3 days\. Next: \d+ \w+\.$/).waitFor()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText(/^Paused, 1 of 3 days done\./).waitFor()
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText(/^1 of 3 days\./).waitFor()

  await page.goto('/my-content')
  await page.getByRole('heading', { name: 'Active Challenges' }).waitFor()
  await page.getByText('Day 2/3').waitFor()
  await page.getByRole('heading', { name: 'Recent Challenge Flows' }).waitFor()
  await page.getByRole('link', { name: 'Continue Three Slow Evenings' }).click()
  await page.getByRole('heading', { name: 'Three Slow Evenings', level: 1 }).waitFor()
  expect(complaints).toEqual([])
})

test('missed days can be done later, and finishing the challenge shows a message', async () => {
  const { page, complaints } = await openPage(site)
  await signIn(page, 'mara@example.com')
  await site.services.db.update(challengeEnrolments).set({ startedOn: '2026-01-01' })
  await page.goto('/challenges')
  await page.getByRole('link', { name: 'Continue Three Slow Evenings' }).click()
  await page.getByText('A missed day stays open; take it whenever you like.').waitFor()
  await page.getByRole('button', { name: 'Day 3 is Done' }).click()
  await page.getByText('2 of 3 days. Next: Today.').waitFor()
  await page.getByRole('button', { name: 'Day 2 is Done' }).click()
  await page.locator('.toast').getByText('You finished it', { exact: true }).waitFor()
  await page.getByText('You did all 3 days.', { exact: false }).waitFor()
  expect(complaints).toEqual([])
})

test('My Content is searched, sorted and filtered in place', async () => {
  const { page, complaints } = await openPage(site)
  const sent = { headers: { 'sec-fetch-site': 'same-origin' } }
  await join(site, page)
  for (const title of ['The Night Ferry', 'Salt Air', 'Warm Hands']) {
    const [item] = await site.services.db.select().from(stories).where(eq(stories.title, title))
    const contentKey = `pre_uploaded:${item?.type}:${item?.id}`
    await page.request.post('/api/content-favorites', { ...sent, data: { contentKey } })
  }
  await page.goto('/my-content')
  await page.getByRole('link', { name: 'All Content (3)' }).waitFor()
  await page.getByLabel('Sort').selectOption('oldest')
  await page.waitForURL(/sort=oldest/)
  const titles = () => page.locator('.item-list h2').allTextContents()
  await page.waitForFunction(() => document.querySelector('.item-list h2')?.textContent === 'The Night Ferry')
  expect(await titles()).toEqual(['The Night Ferry', 'Salt Air', 'Warm Hands'])
  await page.getByLabel('Type').selectOption('flow')
  await page.waitForURL(/type=flow/)
  await page.waitForFunction(() => document.querySelectorAll('.item-list h2').length === 1)
  expect(await titles()).toEqual(['Warm Hands'])
  await page.getByLabel('Search your content').fill('ferry')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await page.getByRole('link', { name: 'Show all' }).click()
  await page.getByRole('link', { name: 'All Content (3)' }).waitFor()
  expect(complaints).toEqual([])
})

test('deleting a challenge requires its exact name', async () => {
  const { page, complaints } = await openOperatorPage(site, '/challenge-editor')
  await page.getByRole('link', { name: 'Three Slow Evenings' }).click()
  await page.waitForURL(/challenge-editor\?id=/)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete “Three Slow Evenings”?' })
  await dialog.getByLabel('Type its name to confirm').fill('three')
  await dialog.getByRole('button', { name: 'Delete it' }).click()
  await dialog.getByText('Type “Three Slow Evenings” exactly as shown here.').waitFor()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  expect(complaints).toEqual([])
})

test('challenges and My Content have no accessibility or layout faults at either width and theme', async () => {
  const { page } = await openPage(site)
  const sent = { headers: { 'sec-fetch-site': 'same-origin' } }
  await signIn(page, 'mara@example.com')
  await page.request.post('/api/admin/login', {
    ...sent,
    data: { token: site.services.secrets.operatorToken },
  })
  await page.goto('/challenges')
  const path = await page.getByRole('link', { name: 'Continue Three Slow Evenings' }).getAttribute('href')
  const editor = `/challenge-editor?id=${path?.split('/').at(-1)}`
  for (const each of ['/challenges', path ?? '', '/my-content', '/challenge-editor', editor]) {
    await page.goto(each, { waitUntil: 'networkidle' })
    expect(await findFaults(page, each)).toEqual([])
  }
})

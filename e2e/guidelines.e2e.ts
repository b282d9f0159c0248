import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { stories } from '#db/schema'
import { runScans } from '#src/guideline/testing'
import { addGuideline } from '#src/review/change-guideline'
import { publishTestItem } from '#src/testing/app'
import { openOperatorPage, openSite, seeToast } from '#src/testing/browser'
import { findFaults } from '#src/testing/find-faults'

const site = await openSite({ AGE_GATE: 'off' })
const { db } = site.services
for (let at = 1; at < 12; at += 1)
  await publishTestItem(site.services, {
    title: `Evening ${at}`,
    content: `She lit the lamp by the window, and waited for the boat. ${at < 4 ? 'A lantern answered.' : ''}`,
    status: at === 11 ? 'draft' : 'published',
  })
await publishTestItem(site.services, { title: 'Quiet', content: 'A candle.' })

const heldCount = () => db.$count(stories, eq(stories.status, 'held'))

test('a rule previews what it would hold, confirms a large number, and shows what deleting it releases', async () => {
  const { page, complaints } = await openOperatorPage(site, '/training')
  await page.getByRole('button', { name: 'Add Guideline' }).click()
  const dialog = page.locator('#add-guideline')
  await dialog.getByLabel('Keywords or phrases').fill('the')
  await dialog.locator('.notice').getByText('This would hold 11 of 12 items.').waitFor()
  expect(await dialog.getByRole('list', { name: 'Places' }).locator('mark').first().textContent()).toBe('the')
  expect(await findFaults(page, 'guideline, previewed')).toEqual([])
  await dialog.getByRole('button', { name: 'Add Guideline' }).click()
  const yes = dialog.getByRole('button', { name: 'Add it and hold 11 items' })
  await yes.waitFor()
  expect(await findFaults(page, 'guideline, asked')).toEqual([])
  await dialog.getByRole('button', { name: 'Go back' }).press('Enter')
  expect(await dialog.getByLabel('Keywords or phrases').inputValue()).toBe('the')
  await dialog.getByRole('button', { name: 'Add Guideline' }).click()
  await yes.click()
  await seeToast(page, 'Content guideline added')
  await runScans(db)
  expect(await heldCount()).toBe(11)

  await page.getByRole('button', { name: 'Edit guideline: the' }).click()
  await dialog.getByLabel('Keywords or phrases').fill('lantern')
  await dialog
    .locator('.notice')
    .getByText(/8 that it alone holds would go back\./)
    .waitFor()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await seeToast(page, 'Content guideline changed')
  await runScans(db)
  expect(await heldCount()).toBe(3)

  await page.getByRole('button', { name: 'Delete guideline: lantern' }).click()
  const question = page.locator('#ask-guideline')
  await question
    .locator('.notice')
    .getByText('This would hold nothing. 3 that it alone holds would go back.')
    .waitFor()
  expect(await findFaults(page, 'guideline, deleted')).toEqual([])
  await question.getByRole('button', { name: 'Delete it and let 3 items go' }).click()
  await seeToast(page, 'Guideline deleted')
  await runScans(db)
  expect(await heldCount()).toBe(0)
  expect(complaints).toEqual([])
})

test('held items are grouped by rule, and decided on by selection or by rule', async () => {
  const isConfirmed = true
  const draft = { keywords: 'lamp', description: 'Lamps are looked at' }
  await addGuideline(db, draft, 'Ada', { isConfirmed })
  await addGuideline(db, { keywords: 'candle', description: 'No candles' }, 'Ada', { isConfirmed })
  await runScans(db)
  const { page, complaints } = await openOperatorPage(site, '/training?tab=held')
  const lamps = page.getByRole('region', { name: 'Lamps are looked at' })
  await lamps.getByText('11 items').waitFor()
  await page.getByRole('region', { name: 'No candles' }).getByText('1 item').waitFor()

  // An operator can read the text that they decide on: its beginning here, all of it in the studio.
  const first = lamps
    .getByRole('article')
    .filter({ has: page.getByRole('link', { name: 'Evening 1', exact: true }) })
  await first.getByText('How it begins').click()
  await first.locator('details p').getByText('lamp').waitFor()
  expect(await first.getByRole('link', { name: 'Evening 1' }).getAttribute('href')).toStartWith('/studio/')

  await lamps.getByRole('checkbox', { name: 'Select: Evening 1', exact: true }).press('Space')
  await lamps.getByRole('checkbox', { name: 'Select: Evening 2' }).press('Space')
  await page.getByRole('region', { name: 'Selection' }).getByText('2 items selected').waitFor()
  expect(await findFaults(page, 'queue, selected')).toEqual([])
  await page.getByRole('button', { name: 'Refuse selected' }).click()
  const dialog = page.locator('#refuse-held')
  await dialog.getByRole('heading', { name: 'Refuse 2 items?' }).waitFor()
  expect(await findFaults(page, 'queue, asked')).toEqual([])
  await dialog.getByRole('button', { name: 'Refuse 2 items' }).click()
  await seeToast(page, 'Content refused')
  await lamps.getByText('9 items').waitFor()
  expect(await db.$count(stories, eq(stories.status, 'removed'))).toBe(2)

  await page.getByRole('button', { name: 'Approve all by this rule: Lamps are looked at' }).click()
  await seeToast(page, '9 items.')
  await lamps.waitFor({ state: 'detached' })
  expect(await heldCount()).toBe(1)
  await page.getByRole('button', { name: 'Approve: Quiet' }).click()
  await page.getByText('Nothing is waiting for a decision.').waitFor()
  expect(complaints).toEqual([])
})

import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Locator } from 'playwright-core'
import { betaSignups, stories } from '#db/schema'
import { sheetFile, sheetRow } from '#src/import/draft/testing'
import { operatorToken } from '#src/testing/app'
import { openOperatorPage, openPage, openSite, readDownload, seeToast } from '#src/testing/browser'
import { findFaults } from '#src/testing/find-faults'
import { until } from '#src/testing/until'

const site = await openSite({ AGE_GATE: 'off' })

test('the admin token opens the console, and a wrong or missing one shows an error', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/admin')
  await page.getByRole('heading', { name: 'Admin Access' }).waitFor()
  const button = page.getByRole('button', { name: 'Login to Admin Dashboard' })
  await button.click()
  await seeToast(page, 'Missing Token', 'Please enter the admin token')
  await page.getByLabel('Admin token').fill('lanterns')
  await button.click()
  await seeToast(page, 'Authentication Failed', 'Invalid admin token')
  await page.getByLabel('Admin token').fill(`  ${operatorToken} `)
  await page.keyboard.press('Enter')
  await seeToast(page, 'Admin Access Granted')
  await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
  expect(await page.getByRole('link', { name: 'Premium Content' }).count()).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Logout' }).click()
  await seeToast(page, 'Logged Out', 'Admin session ended.')
  await page.getByRole('heading', { name: 'Admin Access' }).waitFor()
  expect(complaints).toEqual([])
})

test('/admin-login has its own heading and leads to the analytics', async () => {
  const { page } = await openPage(site)
  await page.goto('/admin-login')
  await page.getByRole('heading', { name: 'Access Analytics Dashboard' }).waitFor()
  await page.getByLabel('Admin token').fill(operatorToken)
  await page.keyboard.press('Enter')
  await seeToast(page, 'Admin Access Granted')
  await page.waitForURL('**/analytics')
})

test('pasted rows are previewed line by line, and the valid ones are uploaded', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin')
  const box = page.getByLabel('Paste rows: Name, Category, Tags, Story')
  const upload = page.getByRole('button', { name: 'Upload All Stories' })
  await upload.click()
  await seeToast(page, 'No data provided')
  await box.fill('one | two')
  await upload.click()
  await seeToast(page, 'No valid data found')
  await box.fill(
    'Salt Air | lesbian | sea | The hut had one chair.\n\nSalt Air | lesbian | sea | It had two.\nshort | row\nThe Kite | romantic | | It flew.',
  )
  await page.getByText('2 of 3 stories. 1 line with fewer than 4 columns left out.').waitFor()
  await page.getByText('stands in row 1 already').waitFor()
  // Blank lines and skipped ones are counted, because they are in the field too.
  expect(await page.locator('td[data-label=Line]').allTextContents()).toEqual(['1', '3', '5'])
  await upload.click()
  await seeToast(page, 'Stories uploaded successfully', '2 stories uploaded with premium SSML enhancement')
  expect(await box.inputValue()).toBe('Salt Air\tlesbian\tsea\tIt had two.')
  const made = await site.services.db.select().from(stories).where(eq(stories.title, 'The Kite'))
  expect(made).toHaveLength(1)
  const count = await site.services.db.$count(stories, eq(stories.source, 'pre_uploaded'))
  await page.locator('.link-cards').getByText(`${count} items`, { exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('a single story needs a title and content, and a rejected one keeps the input', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin')
  const create = page.getByRole('button', { name: 'Create Story' })
  await page.getByLabel('Title', { exact: true }).pressSequentially('The Understudy')
  expect(await create.isDisabled()).toBe(true)
  await page.getByLabel('Story content').pressSequentially('She knew every line.')
  await page.getByLabel('Duration (minutes)').fill('4')
  await create.click()
  await seeToast(page, 'Upload failed')
  expect(await page.getByLabel('Story content').inputValue()).toBe('She knew every line.')
  await page.getByLabel('Duration (minutes)').fill('19')
  await create.click()
  await seeToast(page, 'Story created successfully')
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('')
  const [made] = await site.services.db.select().from(stories).where(eq(stories.title, 'The Understudy'))
  expect(made).toMatchObject({ duration: 19, voice: 'female', categories: ['romantic'] })
  expect(complaints).toEqual([])
})

test('a story that was refused without a script is gone from the form once it is created', async () => {
  const { page } = await openOperatorPage(site, '/admin')
  const title = page.getByLabel('Title', { exact: true })
  const content = page.getByLabel('Story content')
  const minutes = page.getByLabel('Duration (minutes)')
  const category = page.getByLabel('Category', { exact: true })
  const fields = () => Promise.all([title, content, minutes, category].map((field) => field.inputValue()))
  await content.fill('Snow lay on the sills.')
  await minutes.fill('20')
  await category.selectOption('lesbian')
  // The element's own `submit` sends the form past all scripts.
  await content.evaluate((field) => field.closest('form')?.submit())
  await page.getByText('Please fill in title and content.').first().waitFor()
  expect(await fields()).toEqual(['', 'Snow lay on the sills.', '20', 'lesbian'])
  await title.fill('The Sills')
  await page.getByRole('button', { name: 'Create Story' }).click()
  await seeToast(page, 'Story created successfully')
  await until(async () => (await title.inputValue()) === '')
  expect(await fields()).toEqual(['', '', '15', 'romantic'])
  // A question about unsaved input would be dismissed here, and the page would stay.
  await page.getByRole('link', { name: 'Jobs', exact: true }).first().click()
  await page.waitForURL('**/jobs')
})

/**
 * Sets the value at once, like a paste. `fill` takes Chromium time by the square of the length: 20 s for a million
 * characters.
 */
const setValue = (field: Locator, text: string) =>
  field.evaluate((element, value) => {
    if (element instanceof HTMLTextAreaElement) element.value = value
    element.dispatchEvent(new Event('input', { bubbles: true }))
  }, text)

test('a text over 1,000,000 characters is rejected and kept; Hebrew and emoji are stored unchanged', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin')
  const content = page.getByLabel('Story content')
  const endless = Array(20_001).fill('lamp '.repeat(10).trim()).join('\n')
  await page.getByLabel('Title', { exact: true }).fill('The Long One')
  await setValue(content, endless)
  await page.getByRole('button', { name: 'Create Story' }).click()
  await page
    .getByText(/1,000,049 characters; at most 1,000,000 are allowed for one item. Split it into parts./)
    .first()
    .waitFor()
  expect((await content.inputValue()).length).toBe(endless.length)
  const hebrew = 'הפנס דלק בחלון. 🏮 [softer] היא חיכתה.'
  await page.getByLabel('Title', { exact: true }).fill('הפנס 🏮')
  await setValue(content, hebrew)
  await page.getByRole('button', { name: 'Create Story' }).click()
  await seeToast(page, 'Story created successfully')
  const [made] = await site.services.db.select().from(stories).where(eq(stories.title, 'הפנס 🏮'))
  expect(made?.content).toBe(hebrew)
  await page.goto(`/story/${made?.slug}`)
  await page.getByText(hebrew).waitFor()
  await page.goto(`/studio/${made?.id}`)
  await page.getByRole('region', { name: 'Script' }).getByText('[softer]').waitFor()
  expect(complaints).toEqual([])
})

test('beta signups are listed and exported as CSV', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin?tab=signups')
  await page.getByText('No beta signups yet. Users will see the signup form in the sidebar.').waitFor()
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await seeToast(page, 'No Data', 'No signups to export')
  await site.services.db
    .insert(betaSignups)
    .values({ email: '=mara@example.com', source: 'a "quoted" place' })
  await page.goto('/admin?tab=signups')
  await page.getByRole('rowheader', { name: '=mara@example.com' }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await seeToast(page, 'Exported 1 signups')
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^beta-signups-\d{4}-\d\d-\d\d\.csv$/)
  const text = new TextDecoder().decode(await readDownload(file))
  expect(text).toContain('"Email","Source","Signup Date"\r\n"\'=mara@example.com","a ""quoted"" place","20')
  expect(complaints).toEqual([])
})

test('an expired session asks for the token in a dialog, then completes the pressed action', async () => {
  const { page } = await openOperatorPage(site, '/admin')
  await page.getByLabel('Title', { exact: true }).fill('Two Winters')
  await page.getByLabel('Story content').pressSequentially('It snowed.')
  await page.context().clearCookies()
  const dialog = page.locator('dialog[open]')
  const enterToken = async () => {
    await dialog.getByLabel('Admin token').fill(operatorToken)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
  }
  await page.getByRole('button', { name: 'Create Story' }).click()
  await enterToken()
  await seeToast(page, 'Story created successfully')
  const made = await site.services.db.select().from(stories).where(eq(stories.title, 'Two Winters'))
  expect(made).toHaveLength(1)

  await page.goto('/premium-content?tab=bulk')
  await page.getByRole('button', { name: 'Add Item' }).click()
  await page.getByLabel('Title of item 1').fill('Three Winters')
  await page.getByLabel('Content of item 1').fill('It snowed again.')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Upload All' }).click()
  await enterToken()
  await seeToast(page, 'Bulk upload complete')

  await page.goto('/premium-content?tab=excel')
  await page.context().clearCookies()
  await page
    .getByLabel('Excel or CSV file', { exact: true })
    .setInputFiles(await upload(sheetFile('evening.csv', [sheetRow('Four Winters')])))
  await enterToken()
  await page.getByText('Four Winters', { exact: true }).waitFor()
})

async function upload(file: File) {
  return { name: file.name, mimeType: file.type, buffer: Buffer.from(await file.arrayBuffer()) }
}

test('operator sessions are ended from the overview by keyboard', async () => {
  const lost = await openOperatorPage(site, '/admin')
  const { page, complaints } = await openOperatorPage(site, '/admin?tab=overview')
  const card = page.getByRole('region', { name: 'Operator sessions' })
  await card.getByText('This session').waitFor()
  await card
    .getByRole('button', { name: /^End the session of Ada, / })
    .first()
    .press('Enter')
  await page.getByText('The session has ended.').waitFor()
  await lost.page.reload()
  await lost.page.getByRole('heading', { name: 'Admin Access' }).waitFor()
  const others = card.getByRole('button', { name: 'End all others' })
  if (await others.count()) await others.press('Enter')
  await card.getByRole('button').first().waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('the console has no accessibility or layout faults at either width and theme', async () => {
  const { page } = await openOperatorPage(site, '/admin')
  for (const path of ['/admin', '/admin?tab=overview', '/admin?tab=signups']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(await findFaults(page, path)).toEqual([])
  }
})

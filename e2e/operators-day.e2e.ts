import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { auditLog, betaSignups, stories } from '#db/schema'
import { seedDemo } from '#src/demo/seed'
import { sheetFile, sheetRow } from '#src/import/draft/testing'
import { startImporting } from '#src/import/start'
import { chatAnswer, testModelServer } from '#src/model/testing'
import { startNarrating } from '#src/narration/start'
import { toneMp3 } from '#src/narration/testing'
import { operatorToken } from '#src/testing/app'
import { openPage, openSite, readDownload, seeToast } from '#src/testing/browser'

const model = testModelServer()
const site = await openSite({ AGE_GATE: 'off', ALLOW_PRIVATE_MODEL_URLS: model.origin })
const { db } = site.services
await seedDemo(db)
await db.insert(betaSignups).values({ email: 'mara@example.com', source: 'upgrade_box' })
const importing = startImporting(site.services)
const narrating = startNarrating(site.services, { isFirstStart: false })
afterAll(async () => {
  await Promise.all([importing.stop(), narrating.stop()])
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const room = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true }).click()
const find = async (title: string) =>
  (await db.select().from(stories).where(eq(stories.title, title)))[0] ?? null
const upload = async (file: File) => ({
  name: file.name,
  mimeType: file.type,
  buffer: Buffer.from(await file.arrayBuffer()),
})

test('an operator does every task of the console once, from login to logout', async () => {
  const { page, complaints } = await openPage(site)

  await page.goto('/admin')
  await page.getByLabel('Admin token').fill(operatorToken)
  await page.getByLabel('Your name').fill('Ada')
  await button(page, 'Login to Admin Dashboard').click()
  await seeToast(page, 'Admin Access Granted')

  // Paste rows, and add a single story.
  await page.getByLabel('Paste rows').fill('Salt Air | lesbian | sea | The hut had one chair.')
  await button(page, 'Upload All Stories').click()
  await seeToast(page, '1 stories uploaded with premium SSML enhancement')
  await page.getByLabel('Title', { exact: true }).fill('The Prompter')
  await page.getByLabel('Story content').fill('She knew every line, and his.')
  await button(page, 'Create Story').click()
  await seeToast(page, 'Story created successfully')

  // Import a sheet with a mistake and its MP3s, fix the mistake, and import it again.
  await room(page, 'Premium Content')
  await page.getByRole('link', { name: 'Excel + MP3' }).click()
  await page.waitForURL('**tab=excel')
  const sheet = sheetFile('autumn.xlsx', [
    sheetRow('The Quay'),
    sheetRow('The Pier', 'They rowed.', 'male'),
    sheetRow('The Lock', 'It opened.', 'mail'),
  ])
  await page.getByLabel('Excel or CSV file', { exact: true }).setInputFiles(await upload(sheet))
  const song = async (name: string, hertz: number) =>
    upload(new File([await toneMp3(2, hertz)], name, { type: 'audio/mpeg' }))
  await page
    .getByLabel('MP3 files', { exact: true })
    .setInputFiles([await song('the-quay.mp3', 300), await song('The Pier_male.mp3', 400)])
  await page.getByRole('heading', { name: 'The first 3 rows' }).waitFor()
  await button(page, 'Upload and check').click()
  await page.getByText('"mail" is not a voice').waitFor()
  await button(page, 'Import 2 rows').click()
  await page.getByText('2 added, 1 not imported. 2 audio files matched.').first().waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download failed rows' }).click()
  const failed = new TextDecoder().decode(await readDownload(await download))
  await button(page, 'Import another sheet').click()
  const corrected = new File([failed.replace('"mail"', '"male"')], 'mended.csv')
  await page.getByLabel('Excel or CSV file', { exact: true }).setInputFiles(await upload(corrected))
  await page.getByRole('heading', { name: 'The first row' }).or(page.getByText('The first 1 row')).waitFor()
  await button(page, 'Upload and check').click()
  await button(page, 'Import 1 row').click()
  await page
    .getByText(/^1 added/)
    .first()
    .waitFor()
  expect(await find('The Lock')).toMatchObject({ voice: 'male', status: 'published' })

  // Edit an item, give it audio, narrate it in the other voice, publish it.
  await page.goto('/premium-content?q=prompter')
  await page.getByRole('link', { name: /The Prompter/ }).click()
  const editor = page.getByRole('dialog', { name: 'Edit content' })
  await editor.getByLabel('Description').fill('A theatre, after the last bow.')
  await editor.getByLabel('Visible').selectOption('draft')
  await button(page, 'Save changes').click()
  await seeToast(page, 'Content updated')
  expect(await find('The Prompter')).toMatchObject({ status: 'draft' })
  await page.getByRole('link', { name: /The Prompter/ }).click()
  await editor.getByLabel('Audio in the male voice').setInputFiles(await song('prompter.mp3', 500))
  await seeToast(page, 'Audio uploaded')
  await button(page, 'Narrate now').first().click()
  await seeToast(page, 'Narration requested')
  await editor.getByLabel('Visible').selectOption('published')
  await button(page, 'Save changes').click()
  await seeToast(page, 'Content updated')
  await room(page, 'Jobs')
  await page
    .getByRole('row', { name: /The Prompter/ })
    .getByText('done')
    .first()
    .waitFor()
  expect(await find('The Prompter')).toMatchObject({ status: 'published' })

  // A visitor reports an item, and the operator decides.
  const slug = (await find('Salt Air'))?.slug
  const visitor = await openPage(site)
  await visitor.page.goto(`/story/${slug}`)
  await visitor.page.getByRole('link', { name: 'Report' }).click()
  const report = visitor.page.getByRole('dialog', { name: 'Report “Salt Air”' })
  await report.getByLabel('What is it about?').selectOption({ label: 'Not as described' })
  await report.getByLabel('In your own words').fill('The chair is mine.')
  await button(visitor.page, 'Send report').click()
  await visitor.page.getByText('Thank you. A person reads this.').waitFor()
  await room(page, 'Moderation')
  await button(page, 'Review: Salt Air').click()
  await page.getByText('in review by Ada').waitFor()
  await button(page, 'Approve: Salt Air').click()
  const decision = page.getByRole('dialog', { name: 'Approve “Salt Air”' })
  await decision.getByRole('button', { name: /^Approve/ }).click()
  await page.getByText('Nothing is waiting for a decision.').waitFor()

  // Add a guideline, and test and save a model.
  await room(page, 'Guidelines')
  await button(page, 'Add Guideline').click()
  const rule = page.locator('dialog[open]')
  await rule.getByLabel('Description').fill('Drink comes in')
  await rule.getByLabel('Keywords or phrases').fill('moonshine')
  await button(page, 'Add Guideline').last().click()
  await seeToast(page, 'Content guideline added')
  await room(page, 'Model')
  const form = page.getByRole('form', { name: 'Model settings' })
  await form.getByRole('radio', { name: /runpod/ }).press('Space')
  await form.getByLabel('RunPod API URL').fill(model.url)
  await form.getByLabel('RunPod API key').fill('rpa_a-key-for-tests')
  await form.getByRole('textbox', { name: 'Model name' }).fill('mistral-small-3.2')
  model.state.answer = () => chatAnswer('The lamp in the hall was on.')
  await button(page, 'Test connection').click()
  await seeToast(page, 'Connection test successful')
  await button(page, 'Save configuration').click()
  await seeToast(page, 'Configuration saved')

  // Export the signups, read the audit log, undo the import.
  await page.goto('/admin?tab=signups')
  await button(page, 'Export CSV').click()
  await seeToast(page, 'Exported 1 signups')
  await room(page, 'Audit log')
  await page.getByText('Ada changed the settings of the model').waitFor()
  await room(page, 'Jobs')
  await page.getByRole('button', { name: /^Undo: autumn\.xlsx/ }).click()
  await button(page, 'Undo the import').click()
  await seeToast(page, 'Import undone')
  expect(await find('The Quay')).toMatchObject({ status: 'removed' })
  expect(await find('The Lock')).not.toBeNull()

  await room(page, 'Dashboard')
  await button(page, 'Logout').click()
  await seeToast(page, 'Logged Out', 'Admin session ended.')
  expect((await page.request.get('/api/audit')).status()).toBe(401)

  const made = (await db.select().from(auditLog)).map(({ action, actor }) => ({ action, actor }))
  expect(new Set(made.map(({ actor }) => actor))).toEqual(new Set(['Ada']))
  const actions = new Set(made.map(({ action }) => action))
  for (const action of [
    'login',
    'import',
    'publish',
    'edit',
    'upload_audio',
    'narrate',
    'add',
    'configure',
    'undo',
  ])
    expect([...actions]).toContain(action)
  expect(complaints).toEqual([])
})

import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Locator } from 'playwright-core'
import { jobs, stories } from '#db/schema'
import { seedDemo } from '#src/demo/seed'
import { addExample } from '#src/example/examples'
import { editItem } from '#src/library/edit'
import { chatAnswer, testModelServer } from '#src/model/testing'
import { enqueueNarration } from '#src/narration/enqueue'
import { startNarrating } from '#src/narration/start'
import { publishTestItem } from '#src/testing/app'
import { openOperatorPage, openPage, openSite, seeFocus, seeToast } from '#src/testing/browser'
import { findFaults } from '#src/testing/find-faults'
import { until } from '#src/testing/until'

const model = testModelServer()
const site = await openSite({ AGE_GATE: 'off', ALLOW_PRIVATE_MODEL_URLS: model.origin })
await seedDemo(site.services.db)

const key = 'rpa_a-key-for-tests-that-ends-in-9f3c'

const rooms = [
  '/model-config',
  '/training',
  '/training?tab=examples',
  '/training?tab=analytics',
  '/training?tab=held',
  '/audio-test',
  '/jobs',
  '/audit',
  `/studio/${(await publishTestItem(site.services, { title: 'The Lock' })).id}`,
]

test('a model is tested before saving, its key is hidden after it, and a rejected form keeps its input', async () => {
  const { page, complaints } = await openOperatorPage(site, '/model-config')
  await page.getByRole('heading', { name: 'Model Configuration' }).waitFor()
  await page.getByText('No test yet.').waitFor()
  const form = page.getByRole('form', { name: 'Model settings' })
  expect(await form.getByLabel('Max tokens').inputValue()).toBe('4000')
  expect(await form.getByLabel('Temperature').inputValue()).toBe('0.8')
  await form.getByRole('radio', { name: /runpod/ }).press('Space')
  await form.getByLabel('RunPod API URL').fill(model.url)
  await form.getByLabel('RunPod API key').fill(key)
  await form.getByRole('textbox', { name: 'Model name' }).fill('mistral-small-3.2')

  model.state.answer = () => Response.json({ error: 'invalid api key' }, { status: 401 })
  await form.getByRole('button', { name: 'Test connection' }).click()
  await seeToast(page, 'Connection test failed')
  await seeFocus(form.getByRole('button', { name: 'Test connection' }))
  await page.getByRole('alert').getByText('The key was refused (401). Copy it again.').waitFor()
  await page.getByText('What the server said').click()
  await page.getByText('invalid api key').waitFor()

  model.state.answer = () => chatAnswer('The lamp in the hall was on.')
  await form.getByRole('button', { name: 'Test connection' }).click()
  await seeToast(page, 'Connection test successful')
  await page
    .locator('.toast')
    .getByText(/^Model responded in \d+ ms$/)
    .waitFor()
  await page.getByText('The lamp in the hall was on.').waitFor()
  await page.getByText('Not set up', { exact: true }).waitFor()

  await form.getByLabel('Max tokens').fill('9000')
  await form.getByRole('button', { name: 'Save configuration' }).click()
  await seeToast(page, 'Failed to save configuration')
  await form.getByText('Max tokens must be a whole number from 100 to 8000.').waitFor()
  await seeFocus(form.getByLabel('Max tokens'))
  expect(await form.getByLabel('RunPod API key').inputValue()).toBe(key)
  await form.getByLabel('Max tokens').fill('8000')
  await form.getByRole('button', { name: 'Save configuration' }).click()
  await seeToast(page, 'Configuration saved')
  await page.getByText('saved, ends in 9f3c').waitFor()
  expect(await form.getByLabel('RunPod API key').inputValue()).toBe('')
  await page.reload()
  expect(await form.getByLabel('Max tokens').inputValue()).toBe('8000')
  expect(await page.content()).not.toContain(key)
  expect(complaints).toEqual([])
})

test('a guideline is validated, added, tried on a text, turned off and deleted', async () => {
  const { page, complaints } = await openOperatorPage(site, '/training')
  await page.getByRole('heading', { name: 'Story Training & Content Guidelines' }).waitFor()
  await page
    .getByText(/^built in, version/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Add Guideline' }).click()
  const dialog = page.locator('dialog[open]')
  expect(await dialog.getByLabel('Rule type').inputValue()).toBe('negative_keywords')
  expect(await dialog.getByLabel('Severity').inputValue()).toBe('high')
  await dialog.getByLabel('Description').fill('The lighthouse stays dark')
  await dialog.getByLabel('Keywords or phrases').fill(' , ')
  await dialog.getByRole('button', { name: 'Add Guideline' }).click()
  await seeToast(page, 'Keywords required', 'Please enter at least one keyword or phrase.')
  await seeFocus(dialog.getByLabel('Keywords or phrases'))
  await dialog.getByLabel('Keywords or phrases').fill('a**')
  await dialog.getByRole('button', { name: 'Add Guideline' }).click()
  await seeToast(page, 'Failed to add guideline')
  expect(await dialog.getByLabel('Description').inputValue()).toBe('The lighthouse stays dark')
  await dialog.getByLabel('Keywords or phrases').fill('lit lighthouse, bright lamp')
  await dialog.getByRole('button', { name: 'Add Guideline' }).click()
  await seeToast(page, 'Content guideline added')
  await page.getByRole('heading', { name: 'The lighthouse stays dark' }).waitFor()

  const tryIt = page.getByRole('region', { name: 'Try it' })
  await tryIt.getByLabel('Text to try').fill('She rowed to the lit lighthouse.')
  await tryIt.getByRole('button', { name: 'Try the rules' }).click()
  await tryIt.getByText(/^Held for review/).waitFor()
  expect(await tryIt.locator('mark').textContent()).toContain('lit lighthouse')
  await page.getByRole('switch', { name: 'Active: The lighthouse stays dark' }).press('Space')
  await seeToast(page, 'Guideline deactivated')
  await tryIt.getByRole('button', { name: 'Try the rules' }).click()
  await tryIt.getByText('No rule matches it.').waitFor()
  await page.getByRole('button', { name: 'Delete guideline: The lighthouse stays dark' }).click()
  await seeToast(page, 'Guideline deleted')
  await page.getByRole('heading', { name: 'The lighthouse stays dark' }).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('an example is added, approved and deleted; the list shows ten, and the rest on request', async () => {
  const { page, complaints } = await openOperatorPage(site, '/training?tab=examples')
  await page.getByRole('button', { name: 'Add Example' }).click()
  const dialog = page.locator('dialog[open]')
  expect(await dialog.getByRole('button', { name: 'Add Example' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Input prompt').pressSequentially('A storm')
  await dialog.getByLabel('Expected output').pressSequentially('The hut had one chair.')
  await dialog.getByRole('button', { name: 'Add Example' }).click()
  await seeToast(page, 'Training example added')
  await page.getByRole('button', { name: 'Approve: A storm' }).click()
  await page.getByText('Approved', { exact: true }).waitFor()
  await seeFocus(page.getByRole('heading', { name: 'Training Examples' }))
  await page.getByRole('button', { name: 'Delete example: A storm' }).click()
  await seeToast(page, 'Training example deleted')
  for (let each = 1; each <= 11; each += 1)
    await addExample(site.services.db, { inputPrompt: `Prompt ${each}`, expectedOutput: 'It rained.' }, 'Ada')
  await page.reload()
  await page.getByText('10 of 11').waitFor()
  await page.getByRole('link', { name: 'Show 1 more' }).click()
  await page.getByText('11 of 11').waitFor()
  await page.getByRole('link', { name: 'Training Analytics' }).click()
  for (const words of ['Active guidelines', 'Training examples', 'Negative-keyword rules'])
    await page.getByText(words, { exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('items held by the rules are approved or refused in the queue', async () => {
  for (const title of ['The Kite', 'The Well']) {
    const { id } = await publishTestItem(site.services, { title })
    await site.services.db
      .update(stories)
      .set({ status: 'held', heldFrom: 'published' })
      .where(eq(stories.id, id))
  }
  const { page, complaints } = await openOperatorPage(site, '/training?tab=held')
  await page.getByRole('button', { name: 'Approve: The Kite' }).click()
  await seeToast(page, 'Content approved')
  await page.getByRole('button', { name: 'Refuse: The Well' }).click()
  await seeToast(page, 'Content refused')
  await page.getByText('Nothing is waiting for a decision.').waitFor()
  expect(complaints).toEqual([])
})

test('a paragraph is priced, generated, played and stopped, and several voices are compared', async () => {
  const { page, complaints } = await openOperatorPage(site, '/audio-test')
  const lab = page.getByRole('region', { name: 'Test text' })
  const generate = lab.getByRole('button', { name: 'Generate Enhanced Audio' })
  expect(await lab.getByLabel('Voice').inputValue()).toBe('rachel')
  expect(await lab.getByLabel('Voice').locator('option').count()).toBe(10)
  await lab.getByText(/characters ·\sfree$/).waitFor()
  await lab.getByLabel('Text', { exact: true }).fill(' ')
  await generate.click()
  await seeToast(page, 'No text provided')
  await lab.getByLabel('Text', { exact: true }).fill('[whisper]Never closed.')
  await generate.click()
  await seeToast(page, 'Audio generation failed')
  // Long enough to be playing still when it is paused.
  await lab
    .getByLabel('Text', { exact: true })
    .fill('The last boat left at ten. She was not on it. '.repeat(6))
  await generate.click()
  const result = page.getByRole('region', { name: 'Result' })
  await result.getByText('the built-in voice · free').waitFor()
  await result.getByRole('button', { name: 'Play rachel' }).click()
  await page.waitForFunction(() => (document.querySelector('audio') as HTMLAudioElement).currentTime > 0)
  await result.getByRole('button', { name: 'Pause rachel' }).click()
  await result.getByRole('button', { name: 'Stop rachel' }).click()
  expect(await result.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime)).toBe(0)
  await page.getByRole('button', { name: 'bella', exact: true }).click()
  await page.getByRole('button', { name: 'adam', exact: true }).click()
  await page.getByText('free for all of them').waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  for (const voice of ['bella', 'adam']) await page.getByRole('button', { name: `Play ${voice}` }).waitFor()
  expect(complaints).toEqual([])
})

test('a script is edited beside its text, regenerated after a question, and narrated', async () => {
  const { id } = await publishTestItem(site.services, {
    title: 'The Night Ferry',
    content: '“You’re not cold?” she asked.\n\nHe shook his head. The lamp swung.',
  })
  const { page, complaints } = await openOperatorPage(site, `/premium-content?edit=${id}`)
  await page.getByRole('link', { name: 'Script and narration, side by side' }).click()
  await page.waitForURL(`**/studio/${id}`)
  const [text, script] = [
    page.getByRole('region', { name: 'Text', exact: true }),
    page.getByRole('region', { name: 'Script' }),
  ]
  await text.getByText('12 words · 3 sentences').waitFor()
  await page.getByText('No script is saved yet').waitFor()

  await script.getByRole('button', { name: 'Edit script' }).click()
  const field = script.getByLabel('Script with its marks')
  await field.fill('“You’re not cold?” [whisper]she asked.\n\nHe shook his head. The lamp swung.')
  await script.getByRole('button', { name: 'Save script' }).click()
  await script.getByText('Line 1, column 20: [whisper] is never closed. Add [/whisper].').waitFor()
  await field.fill('“You’re not cold?” she said.\n\nHe shook his head. The lamp swung.')
  await script.getByRole('button', { name: 'Save script' }).click()
  await script.getByText("the author's text has “asked.”, the script “said.”").waitFor()
  await field.fill(
    '“You’re not cold?”[pause 0.7s] [whisper]she asked.[/whisper]\n\nHe shook his head. [emotion longing]The lamp swung.[/emotion]',
  )
  await script.getByRole('button', { name: 'Save script' }).click()
  await page.getByText('Script edited by an operator.').waitFor()
  await script.locator('.whisper').getByText('she asked.').waitFor()
  for (const label of ['0.7 s', 'longing', 'Words unchanged']) await script.getByText(label).waitFor()

  const worker = startNarrating(site.services, { isFirstStart: false })
  try {
    await page.getByRole('button', { name: 'Enhance again' }).click()
    // It asks, because a person has edited the script.
    const question = page.getByRole('dialog', { name: 'Make a new script?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Script edited by an operator.').waitFor()
    await page.getByRole('button', { name: 'Enhance again' }).click()
    await question.getByRole('button', { name: 'Make a new one' }).click()
    await seeToast(page, 'The script is ready')
    await page.getByText('Script by the built-in enhancer.').waitFor()
    await page.getByRole('button', { name: /^Narrate, / }).click()
    await seeToast(page, 'The narration is ready')
  } finally {
    await worker.stop()
  }
  const narration = page.getByRole('region', { name: 'Narration' })
  await narration.getByText('the built-in voice · free').waitFor()
  expect(await narration.locator('audio').getAttribute('src')).toBe(`/api/premium-audio/${id}/female`)

  await text.getByRole('button', { name: 'Edit text' }).click()
  const corrected = text.getByLabel('Text', { exact: true })
  await corrected.fill('“You’re not cold?” she asked.\n\nHe shook his head. The lantern swung.')
  await text.getByRole('button', { name: 'Save text' }).click()
  await seeToast(page, 'Text saved')
  await page.getByText('1 of 3 sentences has to be spoken again. The lantern swung.').waitFor()
  await page.getByRole('link', { name: 'Edit the item' }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByLabel('Content', { exact: true }).fill('He shook his head. The lantern swung twice.')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await seeToast(page, 'The recording is of an earlier text')
  expect(complaints).toEqual([])
})

test('an invalid or outdated script is rejected in view of its button, and discarding it asks first', async () => {
  const content = Array.from({ length: 60 }, (_, at) => `The lamp swung ${at} times, and she counted.`).join(
    '\n\n',
  )
  const { id } = await publishTestItem(site.services, { title: 'The Long Watch', content })
  const { page, context, complaints } = await openOperatorPage(site, `/studio/${id}`)
  const script = page.getByRole('region', { name: 'Script' })
  const field = script.getByLabel('Script with its marks')
  const save = script.getByRole('button', { name: 'Save script' })
  await script.getByRole('button', { name: 'Edit script' }).press('Enter')
  await seeFocus(field)

  const other = await context.newPage()
  await other.goto(`/studio/${id}`)
  const theirs = other.getByRole('region', { name: 'Script' })
  await theirs.getByRole('button', { name: 'Edit script' }).click()
  await theirs.getByLabel('Script with its marks').fill(`[softer]${content}[/softer]`)
  await theirs.getByRole('button', { name: 'Save script' }).click()
  await seeToast(other, 'Script saved')

  await field.fill(`${content}[whisper]`)
  await save.click()
  const why = script.getByText('[whisper] is never closed')
  await why.waitFor()
  expect(await isInSight(why)).toBe(true)
  await field.fill(`[slower]${content}[/slower]`)
  await save.click()
  await script.getByText('This was changed since you last read it.').waitFor()
  expect(await field.inputValue()).toContain('[slower]')

  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await script.getByRole('button', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  expect(await field.inputValue()).toContain('[slower]')
  await script.getByRole('button', { name: 'Cancel' }).press('Enter')
  await question.getByRole('button', { name: 'Discard', exact: true }).click()
  await seeFocus(script.getByRole('heading', { name: 'Script' }))
  // Editing continues from what the other operator has saved.
  await until(async () => {
    await script.getByRole('button', { name: 'Edit script' }).click()
    const shown = await field.inputValue()
    await script.getByRole('button', { name: 'Cancel' }).click()
    return shown === `[softer]${content}[/softer]`
  })
  expect(complaints).toHaveLength(1)
  expect(complaints[0]).toContain('412')
})

const isInSight = (shown: Locator) =>
  shown.evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })

test('jobs are watched, cancelled and retried, and an import is undone as a whole', async () => {
  const { id } = await publishTestItem(site.services, { title: 'The Harbour' })
  const { page, complaints } = await openOperatorPage(site, '/jobs')
  const row = page.getByRole('row', { name: /The Harbour/ })
  const jobId = await enqueueNarration(site.services.db, id, 'female', {})
  await row.getByText('waiting', { exact: true }).waitFor()
  await site.services.db
    .update(jobs)
    .set({ state: 'running', progress: 0.5, leasedUntil: new Date(Date.now() + 60_000) })
    .where(eq(jobs.id, jobId ?? ''))
  await row.getByText('50 %').waitFor()
  await site.services.db
    .update(jobs)
    .set({ leasedUntil: new Date(Date.now() - 1_000) })
    .where(eq(jobs.id, jobId ?? ''))
  await row.getByText('Its process has ended; it resumes automatically.').waitFor()
  await page.getByRole('button', { name: 'Cancel: The Harbour' }).click()
  await seeToast(page, 'Job cancelled')
  const retry = page.getByRole('button', { name: 'Retry: The Harbour' })
  await seeFocus(retry)
  await retry.click()
  await seeToast(page, 'Job queued again')
  await seeFocus(page.getByRole('button', { name: 'Cancel: The Harbour' }))
  await page.goto('/jobs?state=failed')
  await page.getByText('No jobs here.').waitFor()

  await page.goto('/admin')
  await page.getByLabel('Paste rows').fill('The Quay\tromantic\tsea\tIt was late.')
  await page.getByRole('button', { name: 'Upload All Stories' }).click()
  await seeToast(page, 'Stories uploaded successfully')
  await page.goto('/jobs')
  await page
    .getByRole('button', { name: /^Undo: / })
    .first()
    .click()
  await page.locator('dialog[open]').getByRole('button', { name: 'Undo the import' }).click()
  await seeToast(page, 'Import undone')
  await page.getByText('Undone', { exact: true }).waitFor()
  await seeFocus(page.getByRole('heading', { name: /^Imports \d/ }))
  await page.goto('/audit')
  await page.getByText('Ada undid the import of pasted rows').first().waitFor()
  await page.getByLabel('Action').selectOption({ label: 'Imported a sheet' })
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('Ada imported pasted rows').first().waitFor()
  await page.getByText('Ada undid the import of pasted rows').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('undoing an import shows a plan, keeps items edited since unless chosen, and lists every item', async () => {
  const { db } = site.services
  const { page, complaints } = await openOperatorPage(site, '/admin')
  await page
    .getByLabel('Paste rows')
    .fill('The Pier\tromantic\tsea\tIt was late.\nThe Mole\tromantic\tsea\tIt was early.')
  await page.getByRole('button', { name: 'Upload All Stories' }).click()
  await seeToast(page, 'Stories uploaded successfully')
  const item = async (title: string) => {
    const [found] = await db.select().from(stories).where(eq(stories.title, title))
    if (!found) throw new Error(`There is no ${title}.`)
    return found
  }
  const edit = async (title: string) =>
    editItem(db, (await item(title)).id, { description: `By hand, ${title}.` }, 'Ada')
  await edit('The Mole')

  await page.goto('/jobs')
  const open = page.getByRole('button', { name: /^Undo: / }).first()
  await open.focus()
  await page.keyboard.press('Enter')
  const dialog = page.locator('dialog[open]')
  await dialog.getByText('1 item goes into the bin, 1 item stays as it is.').waitFor()
  await dialog.getByText('Stays as it is. Edited since: the description.').waitFor()
  await dialog.getByText('The bin keeps it for 30 days').waitFor()
  expect(await dialog.getByRole('switch').isChecked()).toBe(false)
  await dialog.getByRole('switch', { name: /Undo edited items too/ }).press('Space')
  await dialog.getByText('2 items go into the bin.').waitFor()
  await dialog.getByRole('switch', { name: /Undo edited items too/ }).press('Space')
  await dialog.getByText('1 item goes into the bin, 1 item stays as it is.').waitFor()
  expect(await findFaults(page, 'the plan of an undo')).toEqual([])

  // The items have changed since the preview.
  await edit('The Pier')
  await dialog.getByRole('button', { name: 'Undo the import' }).click()
  await dialog.getByText('The library has changed since this plan was made.').waitFor()
  expect((await item('The Pier')).status).toBe('published')
  await dialog.getByRole('button', { name: 'Look again' }).click()
  await dialog.getByText('2 items stay as they are.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await open.evaluate((button) => button === document.activeElement)).toBe(true)

  await page.keyboard.press('Enter')
  await dialog.getByRole('switch').press('Space')
  await dialog.getByText('2 items go into the bin.').waitFor()
  await dialog.getByRole('button', { name: 'Undo the import' }).click()
  await seeToast(page, 'Import undone')
  expect([(await item('The Pier')).status, (await item('The Mole')).status]).toEqual(['removed', 'removed'])

  await page.goto('/audit')
  await page
    .getByRole('link', { name: /2 items of: undid the import/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Ada undid the import of pasted rows' }).waitFor()
  await page.getByRole('row', { name: /The Mole.*remove.*Description/ }).waitFor()
  expect(await findFaults(page, 'the items of a change')).toEqual([])
  // The browser reports the refused call too.
  expect(complaints.filter((words) => !words.includes('409'))).toEqual([])
})

test('every studio page shows the login card without an operator session', async () => {
  const { page } = await openPage(site)
  for (const path of rooms) {
    await page.goto(path)
    await page.getByRole('heading', { name: 'Admin Access' }).waitFor()
    expect([path, await page.locator('.console-nav').count()]).toEqual([path, 0])
  }
})

test('the studio pages have no accessibility or layout faults at either width and theme', async () => {
  const { page, complaints } = await openOperatorPage(site, '/model-config')
  for (const path of rooms) {
    await page.goto(path, { waitUntil: 'domcontentloaded' })
    expect(await findFaults(page, path)).toEqual([])
  }
  expect(complaints).toEqual([])
})

import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Locator, Page } from 'playwright-core'
import { auditLog, contentGuidelines, stories } from '#db/schema'
import { seedDemo } from '#src/demo/seed'
import { countLibrary } from '#src/library/queries'
import { toneMp3 } from '#src/narration/testing'
import { operatorToken, publishTestItem } from '#src/testing/app'
import {
  narrateWithTone,
  openOperatorPage,
  openPage,
  openSite,
  seeFocus,
  seeToast,
} from '#src/testing/browser'
import { findFaults } from '#src/testing/find-faults'
import { player } from '#src/testing/player'

const site = await openSite({ AGE_GATE: 'off' })
await seedDemo(site.services.db)

const find = async (title: string) =>
  (await site.services.db.select().from(stories).where(eq(stories.title, title)))[0]

test('the library is searched, and an edit is validated, saved and shown on its card', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content')
  for (const words of ['Premium Stories', 'Pleasure Flows', 'Audio Files', 'Storage Used'])
    await page.getByText(words, { exact: true }).waitFor()
  await page.getByLabel('Search the library').fill('ferry')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByText('1 item', { exact: true }).waitFor()
  await page.getByRole('link', { name: /The Night Ferry/ }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByLabel('Title').fill('')
  expect(await dialog.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Title').fill('The Last Ferry')
  await dialog.getByLabel('Duration (minutes)').fill('99')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await seeToast(page, 'Update failed')
  expect(await dialog.getByLabel('Title').inputValue()).toBe('The Last Ferry')
  // The refused field shows its error and has the focus.
  const focused = page.locator('input:focus[aria-invalid=true]')
  await page.getByRole('spinbutton', { name: 'Duration (minutes)' }).and(focused).waitFor()
  await dialog.locator('.field', { has: focused }).getByText('Duration must be whole minutes').waitFor()
  await dialog.getByLabel('Duration (minutes)').fill('21')
  await dialog.getByRole('button', { name: 'Gay', exact: true }).click()
  await dialog.getByLabel('Visible').selectOption('draft')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await seeToast(page, 'Content updated')
  await page
    .locator('.library-row', { hasText: 'Draft' })
    .getByRole('link', { name: 'The Last Ferry', exact: true })
    .waitFor()
  expect(await find('The Last Ferry')).toMatchObject({
    duration: 21,
    status: 'draft',
    categories: ['romantic', 'man and woman', 'gay'],
  })
  expect(complaints).toEqual([])
})

test('a removed item is read-only until restored, and the audit log has both actions', async () => {
  const { totalStories } = await countLibrary(site.services.db)
  const { page, complaints } = await openOperatorPage(site, '/premium-content?q=slow')
  await page.getByRole('link', { name: /Slow Train North/ }).click()
  await page.locator('dialog[open]').getByRole('button', { name: 'Remove' }).click()
  await seeToast(page, 'Content removed')
  expect(await find('Slow Train North')).toMatchObject({ status: 'removed' })
  // The figures above the list change with it.
  await page
    .locator('.stat', { hasText: 'Premium Stories' })
    .getByText(`${totalStories - 1}`, { exact: true })
    .waitFor()
  await page.goto('/premium-content?status=removed')
  await page.getByRole('link', { name: /Slow Train North/ }).click()
  const editor = page.locator('dialog[open]')
  const visible = editor.getByLabel('Visible')
  expect(await visible.locator('option:checked').textContent()).toBe('Removed')
  expect([
    await visible.isDisabled(),
    await editor.getByRole('textbox', { disabled: false }).count(),
  ]).toEqual([true, 0])
  expect(await editor.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
  await editor.getByRole('button', { name: 'Restore' }).click()
  await seeToast(page, 'Content restored')
  expect(await find('Slow Train North')).toMatchObject({ status: 'published' })
  const actions = await site.services.db
    .select({ action: auditLog.action, actor: auditLog.actor })
    .from(auditLog)
    .where(eq(auditLog.subjectType, 'item'))
  expect(actions).toContainEqual({ action: 'remove', actor: 'Ada' })
  expect(actions).toContainEqual({ action: 'restore', actor: 'Ada' })
  expect(complaints).toEqual([])
})

test('several removed items are restored together', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content?type=flow')
  const boxes = page.getByRole('checkbox', { name: /^Select: / })
  const removed = () => site.services.db.$count(stories, eq(stories.status, 'removed'))
  await boxes.nth(0).click()
  await boxes.nth(1).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Remove: 2 items' }).click()
  await seeToast(page, 'Removed: 2 items')
  await page.goto('/premium-content?status=removed')
  await boxes.nth(0).click()
  await boxes.nth(1).click()
  expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.locator('dialog[open]').getByText(': removed → published').first().waitFor()
  await page.getByRole('button', { name: 'Restore: 2 items' }).click()
  await seeToast(page, 'Restored: 2 items')
  expect(await removed()).toBe(0)
  expect(complaints).toEqual([])
})

test('closing the editor with unsaved changes asks first: by Esc, a button, Back or a link', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content?q=gift')
  await page.getByRole('link', { name: /The Gift/ }).click()
  const editor = page.getByRole('dialog', { name: 'Edit content' })
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  const ways = [
    () => page.keyboard.press('Escape'),
    () => editor.getByRole('button', { name: 'Close' }).click(),
    () => editor.getByRole('button', { name: 'Cancel' }).click(),
    () => page.evaluate(() => history.back()),
  ]
  await editor.getByLabel('Title').fill('The Other Gift')
  for (const close of [...ways, ...ways]) {
    await close()
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    expect(await editor.getByLabel('Title').inputValue()).toBe('The Other Gift')
  }
  await page.keyboard.press('Escape')
  expect(await findFaults(page, 'the question before changes are lost')).toEqual([])
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await editor.getByLabel('Title').fill('The Gift')
  await page.keyboard.press('Escape')
  await editor.waitFor({ state: 'detached' })

  await page.getByRole('link', { name: /The Gift/ }).click()
  await editor.getByRole('button', { name: 'Gay', exact: true }).click()
  const asked: string[] = []
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type())
    await dialog.dismiss()
  })
  await editor.getByRole('link', { name: 'Script and narration, side by side' }).click()
  expect(asked).toEqual(['confirm'])
  await page.evaluate(() => history.back())
  await question.getByRole('button', { name: 'Discard' }).click()
  await editor.waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).toBe('?q=gift')
  expect(await find('The Gift')).toBeDefined()
  expect(complaints).toEqual([])
})

test('concurrent edits of different fields are merged, and of the same field are rejected', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content?q=warm')
  const other = await page.context().newPage()
  await other.goto(page.url())
  const dialogOf = async (each: Page) => {
    await each.getByRole('link', { name: /Warm Hands/ }).click()
    return each.locator('dialog[open]')
  }
  const [mine, theirs] = [await dialogOf(page), await dialogOf(other)]
  const save = (dialog: Locator) => dialog.getByRole('button', { name: 'Save changes' }).click()
  await theirs.getByLabel('Description').fill('What another one wrote.')
  await save(theirs)
  await seeToast(other, 'Content updated')
  await mine.getByLabel('Excerpt').fill('A teaser.')
  await save(mine)
  await seeToast(page, 'Content updated')
  const both = { description: 'What another one wrote.', excerpt: 'A teaser.' }
  expect(await find('Warm Hands')).toMatchObject(both)

  const again = await dialogOf(other)
  await again.getByLabel('Description').fill('Too late.')
  await again.getByLabel('Excerpt').fill('Too late as well.')
  const { db } = site.services
  await db.update(stories).set({ description: 'Meanwhile.' }).where(eq(stories.title, 'Warm Hands'))
  await save(again)
  await again
    .getByRole('alert')
    .getByText('Somebody else has changed this in the meantime (Description)')
    .waitFor()
  expect(await again.getByLabel('Excerpt').inputValue()).toBe('Too late as well.')
  expect(await find('Warm Hands')).toMatchObject({ ...both, description: 'Meanwhile.' })
  expect(complaints).toEqual([])
})

test('Esc in a question over the editor closes only the question', async () => {
  const { id } = await publishTestItem(site.services, { title: 'Spoken Already' })
  await narrateWithTone(site.services, id, 5)
  const { page } = await openOperatorPage(site, `/premium-content?edit=${id}`)
  const editor = page.locator('#item-editor')
  await editor.getByRole('button', { name: 'Narrate now' }).first().click()
  const question = page.getByRole('dialog', { name: 'Replace this audio?' })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  await editor.getByLabel('Description').fill('Still here.')
  expect(await page.locator('dialog[open]').count()).toBe(1)
})

test('uploading over existing audio asks first, and the studio can return to the earlier audio', async () => {
  const { id } = await publishTestItem(site.services, { title: 'Recorded Twice' })
  await narrateWithTone(site.services, id, 5)
  const { page, complaints } = await openOperatorPage(site, `/premium-content?edit=${id}`)
  const editor = page.locator('#item-editor')
  await editor.getByRole('button', { name: 'Upload audio' }).first().click()
  const question = page.getByRole('dialog', { name: 'Replace this audio?' })
  const chosen = page.waitForEvent('filechooser')
  await question.getByRole('button', { name: 'Choose a File' }).click()
  const buffer = Buffer.from(await toneMp3(9))
  await (await chosen).setFiles({ name: 'again.mp3', mimeType: 'audio/mpeg', buffer })
  await seeToast(page, 'Audio uploaded')
  await seeFocus(editor.getByRole('button', { name: 'Upload audio' }).first())

  await page.goto(`/studio/${id}`)
  await page.getByText('Earlier narrations, not in use (1)').click()
  await page.getByRole('button', { name: 'Use again: female, tone.mp3' }).click()
  await page.waitForURL(`**/studio/${id}#sound`)
  await page.getByText('Earlier narrations, not in use (1)').click()
  await page.getByRole('button', { name: 'Use again: female, again.mp3' }).waitFor()
  expect(complaints).toEqual([])
})

test('an action pressed after the session expired is completed in the editor after signing in again', async () => {
  const { page } = await openOperatorPage(site, '/premium-content?q=warm')
  await page.locator('a[data-edit]').first().click()
  const editor = page.locator('#item-editor')
  await editor.waitFor()
  await page.context().clearCookies()
  await editor.getByRole('button', { name: 'Narrate now' }).first().click()
  await page.getByLabel('Admin token').fill(operatorToken)
  await page.keyboard.press('Enter')
  await editor.getByText('Narration requested', { exact: true }).waitFor()
})

test('an item is scheduled in the operator’s time zone, and a missing time is rejected', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content?q=orchard', {
    timezoneId: 'Asia/Tokyo',
  })
  await page.locator('a[data-edit]').first().click()
  const editor = page.getByRole('dialog', { name: 'Edit content' })
  await editor.getByLabel('Visible').selectOption('scheduled')
  const appears = editor.getByLabel('Appears')
  expect(await appears.inputValue()).toBe('')
  await editor.getByRole('button', { name: 'Save changes' }).click()
  await editor.getByText('Choose when it appears.').first().waitFor()
  await page.locator('[name=publishedAt]:focus').waitFor()
  await appears.fill('2090-11-28T20:00')
  await editor.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Appears 28 Nov 2090, 20:00 · ').waitFor()
  await page.locator('a[data-edit]').first().click()
  expect(await appears.inputValue()).toBe('2090-11-28T20:00')
  expect(complaints).toEqual([])
})

test('cards are selected with Shift and keys, changed together and undone; keys navigate the console', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content?type=flow')
  const boxes = page.getByRole('checkbox', { name: /^Select: / })
  const drafts = () => site.services.db.$count(stories, eq(stories.status, 'draft'))
  const before = await drafts()
  await boxes.nth(0).click()
  await boxes.nth(2).click({ modifiers: ['Shift'] })
  await page.getByRole('region', { name: 'Selection' }).getByText('3 items selected').waitFor()
  expect(await boxes.nth(1).isChecked()).toBe(true)
  await boxes.nth(4).focus()
  await page.keyboard.press('Shift+X')
  await page.getByRole('region', { name: 'Selection' }).getByText('5 items selected').waitFor()
  await page.getByRole('button', { name: 'Make drafts' }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByText(': published → draft').first().waitFor()
  expect(await findFaults(page, 'the plan of a selection')).toEqual([])
  await dialog.getByRole('button', { name: 'Make drafts: 5 items' }).click()
  await seeToast(page, 'Drafts now: 5 items')
  expect(await drafts()).toBe(before + 5)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await seeToast(page, 'Undone')
  expect(await drafts()).toBe(before)

  await boxes.nth(0).click()
  await page.getByRole('button', { name: /^Select all \d+/ }).click()
  const selection = page.getByRole('region', { name: 'Selection' })
  await selection.getByText(/^[6-9] items selected|^\d\d items selected/).waitFor()
  await page.keyboard.press('?')
  await dialog.getByText('the search of this page').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  expect(
    await page.getByLabel('Search the library').evaluate((field) => field === document.activeElement),
  ).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('g')
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'Jobs' }).waitFor()
  expect(complaints).toEqual([])
})

test('the bar of the selection is above the player at both widths', async () => {
  const { id } = await publishTestItem(site.services, { title: 'Lantern' })
  await narrateWithTone(site.services, id, 30)
  const { page } = await openOperatorPage(site, '/')
  await page.getByRole('button', { name: 'Play Lantern' }).click()
  await player(page).waitFor()
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/premium-content')
    await player(page).waitFor()
    await page.getByRole('checkbox', { name: 'Select: Lantern', exact: true }).click()
    const selection = page.getByRole('region', { name: 'Selection' })
    await selection.waitFor()
    const [bar, below] = [await selection.boundingBox(), await player(page).boundingBox()]
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
  }
})

test('audio is uploaded for one voice and previewed in the editor; a file that is not audio is rejected', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content?q=gift')
  await page.getByRole('link', { name: /The Gift/ }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByText('No audio: male').waitFor()
  const input = dialog.getByLabel('Audio in the male voice')
  await input.setInputFiles({
    name: 'notes.mp3',
    mimeType: 'audio/mpeg',
    buffer: Buffer.from('These are words.'),
  })
  await seeToast(page, 'Audio upload failed')
  const upload = dialog.getByRole('button', { name: 'Upload audio' }).last()
  const chosen = page.waitForEvent('filechooser')
  await upload.press('Enter')
  const buffer = Buffer.from(await toneMp3(3))
  await (await chosen).setFiles({ name: 'the-gift.mp3', mimeType: 'audio/mpeg', buffer })
  await seeToast(page, 'Audio uploaded')
  await dialog.getByText('Audio linked: male').waitFor()
  await seeFocus(upload)
  await dialog.getByRole('button', { name: 'Preview' }).last().click()
  await page.waitForFunction(() => (document.querySelector('dialog audio') as HTMLAudioElement)?.duration > 2)
  expect(complaints).toEqual([])
})

test('a single item is published or saved as a draft; a publishing time in the past is rejected', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content?tab=single')
  const form = page.getByRole('form', { name: 'Single Upload' })
  const upload = form.getByRole('button', { name: 'Upload', exact: true })
  expect(await upload.isDisabled()).toBe(true)
  expect(await form.getByLabel('Voice').inputValue()).toBe('rachel')
  expect(await form.getByLabel('Voice').locator('option:checked').textContent()).toBe('Rachel')
  await form.getByLabel('Title').pressSequentially('The Tram at Dusk')
  await form.getByLabel('Content', { exact: true }).pressSequentially('It climbed.')
  await form.getByLabel('Duration (minutes)').fill('1')
  await form.getByLabel('Appears', { exact: true }).fill('2020-01-01T20:00')
  await form.getByLabel('Generate audio').uncheck()
  await upload.click()
  await form.getByText('This time has passed. Choose a later one').first().waitFor()
  await form.getByRole('button', { name: 'Publish it now' }).click()
  await seeToast(page, 'Content uploaded successfully')
  await seeFocus(form.getByLabel('Title'))
  expect(await find('The Tram at Dusk')).toMatchObject({
    status: 'published',
    voice: 'female',
    narratorFemale: 'rachel',
    duration: 1,
  })
  await form.getByLabel('Title').pressSequentially('A Draft')
  await form.getByLabel('Content', { exact: true }).pressSequentially('Not yet.')
  await form.getByRole('button', { name: 'Save as a draft' }).click()
  await seeToast(page, 'Draft saved')
  expect(await find('A Draft')).toMatchObject({ status: 'draft' })
  expect(complaints).toEqual([])
})

test('creating a story that a guideline holds says so', async () => {
  const rule = { ruleType: 'negative_keywords', description: 'No skylights' } as const
  await site.services.db.insert(contentGuidelines).values({ ...rule, keywords: ['skylight'] })
  const { page } = await openOperatorPage(site, '/admin')
  await page.getByLabel('Title', { exact: true }).fill('The Attic')
  await page.getByLabel('Story content').fill('Rain on the skylight.')
  await page.getByRole('button', { name: 'Create Story' }).click()
  await page.getByText(/^The Attic\. Held for review: .*No skylights/).waitFor()
  await seeFocus(page.getByLabel('Title', { exact: true }))
})

test('the text of a new item in the list is typed letter by letter', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content?tab=bulk')
  await page.getByRole('button', { name: 'Add Item' }).click()
  const text = page.getByLabel('Content of item 1')
  await text.pressSequentially('Rain.')
  await seeFocus(text)
  expect(await text.inputValue()).toBe('Rain.')
  expect(complaints).toEqual([])
})

test('the minutes of an item in the list can be deleted and typed anew', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content?tab=bulk')
  await page.getByRole('button', { name: 'Add Item' }).click()
  await page.getByLabel('Title of item 1').fill('The Cistern')
  await page.getByLabel('Content of item 1').fill('Water, and a voice.')
  const minutes = page.getByLabel('Minutes of item 1')
  await minutes.fill('')
  await minutes.pressSequentially('7')
  expect(await minutes.inputValue()).toBe('7')
  await page.getByRole('button', { name: 'Upload All' }).click()
  await seeToast(page, '1 item uploaded, 0 failed')
  expect(await find('The Cistern')).toMatchObject({ duration: 7 })
  expect(complaints).toEqual([])
})

test('an imported file becomes a list to review, which keeps only the failed items after the upload', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content')
  // Through the button, as people do it: a file chosen before the island is hydrated would go unnoticed.
  const choose = async (name: string, text: string) => {
    const fileChooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Import File' }).click()
    await (await fileChooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  }
  await choose('autumn.txt', 'x')
  await seeToast(page, 'Unsupported format')
  await choose('autumn.json', '{')
  await seeToast(page, 'Parse error')
  await choose(
    'autumn.csv',
    'Title,Story,Voice,Duration\nThe Orchard,"Ripe, and late.",male,12\n,They rented the room.,,\nNo Words,,,\n',
  )
  await seeToast(page, 'Loaded 3 items for review')
  await page.waitForURL('**/premium-content?tab=bulk')
  expect(await page.getByLabel('Title of item 2').inputValue()).toBe('Untitled')
  expect(await page.getByLabel('Voice of item 1').inputValue()).toBe('male')
  await page.getByLabel('Title of item 2').fill('The Rented Room')
  await page.getByRole('button', { name: 'Add Item' }).click()
  await page.getByRole('button', { name: 'Remove item 4' }).click()
  await seeFocus(page.getByRole('heading', { name: '3 items' }))
  await page.getByRole('button', { name: 'Upload All' }).click()
  await seeToast(page, '2 items uploaded, 1 failed')
  const left = page.getByLabel('Title of item 1')
  expect(await left.inputValue()).toBe('No Words')
  await page.getByText('Write what is missing').waitFor()
  const problemId = (await left.getAttribute('aria-describedby')) ?? ''
  expect(await page.locator(`[id="${problemId}"]`).textContent()).toContain('Write what is missing')
  const { totalStories } = await countLibrary(site.services.db)
  await page.locator('.stat', { hasText: 'Premium Stories' }).getByText(`${totalStories}`).waitFor()
  expect(await find('The Orchard')).toMatchObject({ content: 'Ripe, and late.', voice: 'male', duration: 12 })
  expect(await find('The Rented Room')).toMatchObject({ categories: ['romantic'], voice: 'female' })
  expect(complaints).toEqual([])
})

test('a visitor sees the login card, and a wrong token says "Login failed"', async () => {
  const { page } = await openPage(site)
  await page.goto('/premium-content')
  await page.getByRole('heading', { name: 'Admin Login Required' }).waitFor()
  await page.getByLabel('Admin token').fill('lanterns')
  await page.keyboard.press('Enter')
  await seeToast(page, 'Login failed', 'Invalid admin token')
  expect(await page.content()).not.toContain('Premium Stories')
})

test('the library has no accessibility or layout faults at either width and theme', async () => {
  const { page } = await openOperatorPage(site, '/premium-content')
  for (const path of ['/premium-content', '/premium-content?tab=single', '/premium-content?tab=bulk']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    if (path.endsWith('bulk')) await page.getByRole('button', { name: 'Add Item' }).click()
    expect(await findFaults(page, path)).toEqual([])
  }
  await page.goto('/premium-content?q=lisbon')
  await page.getByRole('link', { name: /Half Past Midnight/ }).click()
  await page.locator('dialog[open]').getByLabel('Title').waitFor()
  expect(await findFaults(page, 'editor')).toEqual([])
})

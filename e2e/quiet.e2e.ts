import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { publishTestItem } from '#src/testing/app'
import { narrateWithTone, openMemberPage, openSite, pressTwice, seeToast } from '#src/testing/browser'
import { findBarriers } from '#src/testing/find-faults'
import { player } from '#src/testing/player'
import { until } from '#src/testing/until'

const site = await openSite()

const tied = await publishTestItem(site.services, {
  title: 'The Third Knot',
  categories: ['bdsm'],
  contentNotes: ['hands tied with a scarf, agreed'],
  type: 'flow',
})
await publishTestItem(site.services, { title: 'Salt Air', type: 'flow' })
await narrateWithTone(site.services, tied.id, 30)

const titlesOn = async (page: Page) => {
  await page.goto('/?type=flow')
  return page.locator('.card h2').allTextContents()
}

test('a category and a word are hidden from the lists by keyboard, and can be shown again', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings#hide')
  const chip = page.getByRole('button', { name: 'BDSM', exact: true })
  await chip.focus()
  await page.keyboard.press('Enter')
  const toast = page.locator('.toast').filter({ hasText: 'BDSM is hidden' })
  await toast.getByRole('button', { name: 'Undo' }).click()
  await page.locator('[value=bdsm][aria-pressed=false]').waitFor()
  const word = page.getByLabel('A word or a few words')
  await word.fill('Knot')
  await page.keyboard.press('Enter')
  await seeToast(page, '“Knot” is hidden')
  expect(await findBarriers(page)).toEqual([])
  expect(await titlesOn(page)).toEqual(['Salt Air'])
  await page.goto(`/flow/${tied.slug}`)
  await page.getByText('You chose not to see the word “Knot”.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('link', { name: 'Show it this once' }).click()
  await page.getByRole('heading', { name: 'The Third Knot', level: 1 }).waitFor()
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Show “Knot” again' }).click()
  await seeToast(page, '“Knot” is shown again')
  await page.locator('#hide [name=word]:focus').waitFor()
  expect(await titlesOn(page)).toEqual(['Salt Air', 'The Third Knot'])
  expect(complaints).toEqual([])
})

test('content notes are collapsed beside an item, and shown before its first play when chosen', async () => {
  const { page, complaints } = await openMemberPage(site, '/?type=flow')
  const card = page.locator('.card', { hasText: 'The Third Knot' })
  const note = card.getByText('hands tied with a scarf, agreed')
  expect(await note.isVisible()).toBe(false)
  await card.locator('summary', { hasText: 'Content notes' }).click()
  await note.waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.goto('/settings')
  await page.getByLabel('Offer content notes').selectOption('first')
  await page.goto('/?type=flow')
  await card.getByRole('button', { name: 'Play The Third Knot' }).click()
  const dialog = page.getByRole('dialog', { name: 'The Third Knot' })
  await dialog.waitFor()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await dialog.waitFor({ state: 'detached' })
  // The toasts had moved into the dialog, and have moved back.
  await page.locator('body > #toast-host').waitFor({ state: 'attached' })
  await card.getByRole('button', { name: 'Play The Third Knot' }).click()
  await dialog.locator('summary').click()
  await dialog.getByText('hands tied with a scarf, agreed').waitFor()
  await dialog.getByRole('button', { name: 'Play', exact: true }).click()
  await player(page).waitFor()
  await card.getByRole('button', { name: 'Pause The Third Knot' }).waitFor()
  await page.getByRole('button', { name: 'Stop and close' }).click()
  await card.getByRole('button', { name: 'Play The Third Knot' }).click()
  await player(page).waitFor()
  expect(await dialog.count()).toBe(0)
  expect(complaints).toEqual([])
})

test('Play pressed again right after the content notes were closed shows them again', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  await page.getByLabel('Offer content notes').selectOption('first')
  await page.goto('/?type=flow')
  const play = page.getByRole('button', { name: 'Play The Third Knot' })
  await play.click()
  const dialog = page.getByRole('dialog', { name: 'The Third Knot' })
  await dialog.waitFor()
  // The dialog's close event is delivered after the press.
  await play.evaluate((pressed: HTMLElement) => {
    document.querySelector<HTMLDialogElement>('dialog:modal')?.close()
    pressed.click()
  })
  await dialog.getByRole('button', { name: 'Play', exact: true }).click()
  await player(page).waitFor()
  expect(complaints).toEqual([])
})

test('discreet mode has neutral titles, icons and lock screen, and leaves on Esc pressed twice', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings#discretion')
  await page.getByRole('switch', { name: /^Discreet mode/ }).press('Space')
  await page.waitForFunction(() => document.title === 'Library')
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('link', { name: 'Explore Audios' }).first().click()
  await page.waitForURL('**/')
  expect(await page.title()).toBe('Library')
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('plain')
  expect(await page.locator('.shell').first().textContent()).not.toContain('Nocturne')
  await page.goto(`/flow/${tied.slug}`)
  expect(await page.title()).toBe('Library')
  const head = await page.locator('head').innerHTML()
  expect(head).not.toContain('The Third Knot')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.waitForFunction(() => navigator.mediaSession.metadata?.title === 'Audio, 0:30')
  await page.getByRole('link', { name: 'Report' }).first().click()
  await page.getByRole('dialog').waitFor()
  // The first press closes the dialog, and does not count.
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  expect(new URL(page.url()).pathname).toBe(`/flow/${tied.slug}`)
  await pressTwice(page, 'Escape')
  await page.waitForURL('**/leave')
  expect(await page.title()).toBe('Notes')
  await page.goto('/settings')
  await page.getByRole('switch', { name: /^Discreet mode/ }).press('Space')
  await page.waitForFunction(() => document.title === 'Settings – Nocturne')
  await page.locator('.brand').getByText('Nocturne', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('a PIN is asked for instead of a page, accepted by keyboard, and can be removed', async () => {
  const { page, context, complaints } = await openMemberPage(site, '/settings#discretion')
  await site.services.db.execute(
    sql`update sessions set sess = sess || '{"startedAt": "2026-01-01T00:00:00.000Z"}'`,
  )
  await page.getByRole('textbox', { name: 'PIN on opening' }).fill('2468')
  await page.keyboard.press('Enter')
  await page.getByText('Your PIN is set.').waitFor()
  await page.goto('/stories')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Read Stories')
  await context.clearCookies({ name: 'nocturne_open' })
  await page.goto('/stories')
  await page.getByRole('heading', { name: 'Enter your PIN' }).waitFor()
  expect(await page.content()).not.toContain('Read Stories')
  expect(await findBarriers(page)).toEqual([])
  await page.locator('[name=pin]:focus').waitFor()
  await page.keyboard.type('2468')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Read Stories' }).waitFor()
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Remove the PIN' }).click()
  await page.getByText('You are no longer asked for a PIN.').waitFor()
  expect(complaints).toEqual([])
})

/** Opens a list of flows as a member with the PIN 2468 who was away for longer than its idle time. */
async function openLockedPage() {
  const { page, context } = await openMemberPage(site, '/settings#discretion')
  await page.getByRole('textbox', { name: 'PIN on opening' }).fill('2468')
  await page.keyboard.press('Enter')
  await page.getByText('Your PIN is set.').waitFor()
  await page.goto('/?type=flow')
  await site.services.db.execute(
    sql`update sessions set sess = sess || '{"startedAt": "2026-01-01T00:00:00.000Z"}'`,
  )
  await context.clearCookies({ name: 'nocturne_open' })
  return page
}

test('a page left open past the PIN’s idle time asks for the PIN, then completes the press', async () => {
  const page = await openLockedPage()
  const heart = page.locator('article.card .favourite').first()
  await heart.click()
  const dialog = page.getByRole('dialog', { name: 'Enter your PIN' })
  await dialog.locator('[name=pin]:focus').waitFor()
  expect(await heart.getAttribute('aria-pressed')).toBe('false')
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.type('1357')
  await page.keyboard.press('Enter')
  await dialog.locator('.hint-bad').getByText('Wrong PIN.').waitFor()
  await dialog.locator('[name=pin]').fill('2468')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await heart.and(page.locator('[aria-pressed=true]')).waitFor()
  // The favourite is shown before it is saved.
  await until(async () => (await (await page.request.get('/api/content-favorites')).json()).length === 1)
})

test('Play on a page left open past the PIN’s idle time asks for the PIN, then starts', async () => {
  const page = await openLockedPage()
  await page.locator('.card', { hasText: 'The Third Knot' }).getByRole('button', { name: 'Play' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enter your PIN' })
  await dialog.locator('[name=pin]:focus').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  const bar = player(page)
  await bar.getByText('Enter your PIN to continue.').waitFor()
  await bar.getByRole('button', { name: 'Enter PIN' }).click()
  await dialog.locator('[name=pin]:focus').waitFor()
  await page.keyboard.type('2468')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await bar.getByRole('button', { name: 'Pause' }).waitFor()
})

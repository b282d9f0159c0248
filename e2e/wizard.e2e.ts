import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { imports, narrations, stories } from '#db/schema'
import { sheetFile, sheetRow } from '#src/import/draft/testing'
import { startImporting } from '#src/import/start'
import { toneMp3 } from '#src/narration/testing'
import {
  holdBack,
  openOperatorPage,
  openPage,
  openSite,
  readDownload,
  seeFocus,
  seeToast,
} from '#src/testing/browser'
import { findFaults } from '#src/testing/find-faults'

const site = await openSite({ AGE_GATE: 'off' })
const importing = startImporting(site.services)
afterAll(async () => {
  await importing.stop()
})
const { db } = site.services
const path = '/premium-content?tab=excel'

const sheetInput = (page: Page) => page.getByLabel('Excel or CSV file', { exact: true })
const audioInput = (page: Page) => page.getByLabel('MP3 files', { exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
const find = async (title: string) =>
  (await db.select().from(stories).where(eq(stories.title, title)))[0] ?? null

async function upload(file: File) {
  return { name: file.name, mimeType: file.type, buffer: Buffer.from(await file.arrayBuffer()) }
}
async function song(name: string, hertz: number) {
  return { name, mimeType: 'audio/mpeg', buffer: Buffer.from(await toneMp3(1, hertz)) }
}
/** Starts a new import, because each screen continues the operator's last one. */
async function openAnew() {
  const opened = await openOperatorPage(site, path)
  const drafts: { id: string }[] = await (await opened.page.request.get('/api/import-drafts')).json()
  for (const { id } of drafts)
    await opened.page.request.delete(`/api/import-drafts/${id}`, {
      headers: { 'sec-fetch-site': 'same-origin' },
    })
  await opened.page.goto(path)
  return opened
}

for (const extension of ['xlsx', 'xls']) {
  test(`an .${extension} with mistakes is previewed, imported, fixed, imported again and undone`, async () => {
    const { page, complaints } = await openAnew()
    const [lamp, boat, salt] = ['Lamp', 'Boat', 'Salt'].map((name) => `The ${name} of ${extension}`)
    await button(page, 'Upload and check').click()
    await seeToast(page, 'Missing file', 'Please select an Excel/CSV file')
    await sheetInput(page).setInputFiles(
      await upload(
        new File(['no sheet at all'], `evening.${extension}`, { type: 'application/octet-stream' }),
      ),
    )
    await seeToast(page, 'Preview failed', 'Could not parse file for preview')
    await page.getByText('This is not a spreadsheet').waitFor()

    await sheetInput(page).setInputFiles(
      await upload(
        sheetFile(`evening.${extension}`, [
          sheetRow(`${lamp}`),
          sheetRow(`${boat}`, 'He rowed.', 'male'),
          sheetRow(`${salt}`, 'They swam at night.', 'mail'),
          sheetRow('No Words', ''),
        ]),
      ),
    )
    await page.getByRole('heading', { name: 'The first 3 rows' }).waitFor()
    expect(await page.getByRole('cell', { name: salt, exact: true }).count()).toBe(1)
    await audioInput(page).setInputFiles([
      await song(`${lamp}.mp3`, 300),
      await song(`${boat}_male.mp3`, 400),
      await song('moonrise.mp3', 500),
      { name: 'notes.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('These are words.') },
    ])
    await page.getByText('4 audio files', { exact: true }).waitFor()
    await button(page, 'Upload and check').click()

    await page.getByRole('heading', { name: 'The plan' }).waitFor()
    await row(page, `${lamp}`).getByText('New', { exact: true }).waitFor()
    await row(page, `${boat}_male.mp3`).waitFor()
    await page.getByText('No row is named like moonrise.mp3').waitFor()
    await page.getByText('notes.mp3 is not an MP3').waitFor()
    await page.getByText('"mail" is not a voice').waitFor()
    await button(page, 'Only problems').click()
    await page.getByText('2 of 2 rows shown').waitFor()
    expect(await find(`${lamp}`)).toBeNull()
    await button(page, 'Import 2 rows').click()

    await page.getByRole('heading', { name: 'Import finished' }).waitFor()
    await page.getByText('2 added, 2 not imported. 2 audio files matched.').first().waitFor()
    // The list of imports shows it without a reload.
    await page
      .locator('[data-figures=imports]')
      .getByText('2 added, 0 changed, 2 audio files')
      .first()
      .waitFor()
    expect(await find(`${boat}`)).toMatchObject({ voice: 'male', duration: 14 })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download failed rows' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('failed-rows.csv')
    const csv = new TextDecoder().decode(await readDownload(download))

    await button(page, 'Import another sheet').click()
    const corrected = csv.replace('"mail"', '"female"')
    await sheetInput(page).setInputFiles(await upload(new File([corrected], 'failed-rows.csv')))
    await page.getByRole('heading', { name: 'The first 2 rows' }).waitFor()
    await button(page, 'Upload and check').click()
    await button(page, 'Import 1 row').click()
    await page.getByText('1 added, 1 not imported.').first().waitFor()
    expect(await find(`${salt}`)).toMatchObject({ content: 'They swam at night.' })
    await page.getByRole('link', { name: 'See them in the library' }).waitFor()

    await page.reload()
    await button(page, 'Undo this import').click()
    await button(page, 'Undo the import').click()
    await seeFocus(page.getByRole('heading', { name: 'Import undone' }))
    const outcome = page.getByRole('region', { name: 'Import undone' })
    expect(await outcome.getByText(/\d added|\d row/).count()).toBe(0)
    expect(await outcome.getByRole('link', { name: 'Removed' }).getAttribute('href')).toBe(
      '/premium-content?status=removed',
    )
    expect(await outcome.getByRole('link', { name: 'See them in the library' }).count()).toBe(0)
    expect(await find(`${salt}`)).toMatchObject({ status: 'removed' })
    expect(await find(`${lamp}`)).not.toBeNull()
    expect(complaints).toEqual([])
  })
}

test('an interrupted upload resumes after a reload without repeats, and the import runs in the background', async () => {
  const { page } = await openAnew()
  const titles = ['The Pier', 'The Tide', 'The Dune']
  const songs = await Promise.all(titles.map((title, at) => song(`${title}.mp3`, 600 + at * 50)))
  const sent: string[] = []
  let isAway = true
  await page.route('**/api/import-drafts/*/files', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    if (sent.length === 1 && isAway) return route.abort('connectionreset')
    sent.push(
      /filename="([^"]+)"/.exec(route.request().postDataBuffer()?.toString('latin1') ?? '')?.[1] ?? '',
    )
    return route.continue()
  })
  await sheetInput(page).setInputFiles(
    await upload(
      sheetFile(
        'coast.csv',
        titles.map((title) => sheetRow(title)),
      ),
    ),
  )
  await page.getByRole('heading', { name: 'The first 3 rows' }).waitFor()
  await audioInput(page).setInputFiles(songs)
  await button(page, 'Upload and check').click()
  await page.locator('.notice').getByText('The connection was lost.').waitFor()

  await page.reload()
  await page.getByText('2 of 3 audio files have not been sent.').waitFor()
  isAway = false
  await audioInput(page).setInputFiles(songs)
  await page.getByText('3 audio files', { exact: true }).waitFor()
  await button(page, 'Upload and check').click()
  await button(page, 'Import 3 rows').waitFor()
  expect(sent).toEqual(['The Pier.mp3', 'The Tide.mp3', 'The Dune.mp3'])

  await page.reload()
  await button(page, 'Import 3 rows').click()
  await page.goto('/premium-content')
  await page.goto(path)
  await page.getByRole('heading', { name: 'Import finished' }).waitFor()
  await page.getByText('3 added. 3 audio files matched.').first().waitFor()
  expect(await db.$count(narrations, eq(narrations.fileName, 'The Tide.mp3'))).toBe(1)

  // The same sheet again, in a folder with its audio, adds nothing and sends nothing.
  await button(page, 'Import another sheet').click()
  const sheet = sheetFile(
    'coast.xlsx',
    titles.map((title) => sheetRow(title)),
  )
  const folder = mkdtempSync(join(tmpdir(), 'nocturne-coast-'))
  for (const { name, buffer } of [await upload(sheet), ...songs]) writeFileSync(join(folder, name), buffer)
  writeFileSync(join(folder, 'notes.txt'), 'Not for the import.')
  await page.getByLabel('A folder').setInputFiles(folder)
  await page.getByText('Left out of the folder: notes.txt.').waitFor()
  await page.getByRole('heading', { name: 'The first 3 rows' }).waitFor()
  await button(page, 'Upload and check').click()
  await page.getByText('0 rows will be imported, 3 are there already.').waitFor()
  expect(await button(page, 'Import 0 rows').isDisabled()).toBe(true)
  expect(sent).toHaveLength(3)
  expect(await db.$count(imports, eq(imports.fileName, 'coast.xlsx'))).toBe(0)
})

test('a sheet and its audio chosen at the same time form one import', async () => {
  const { page, complaints } = await openAnew()
  const goOn = await holdBack(page, /\/api\/import-drafts$/)
  await sheetInput(page).setInputFiles(await upload(sheetFile('tide.xlsx', [sheetRow('The Tide')])))
  await audioInput(page).setInputFiles([await song('the-tide.mp3', 400)])
  await goOn()
  await page.getByText('The first row').or(page.getByText('The first 1 row')).first().waitFor()
  await page.getByText('1 audio file', { exact: true }).waitFor()
  await button(page, 'Upload and check').click()
  await button(page, 'Import 1 row').waitFor()
  const drafts: { fileName: string }[] = await (await page.request.get('/api/import-drafts')).json()
  expect(drafts.map(({ fileName }) => fileName)).toEqual(['tide.xlsx'])
  expect(complaints).toEqual([])
})

test('each uploaded file marks the operator’s session as active in the browser', async () => {
  const { page, complaints } = await openAnew()
  const seen: unknown[] = []
  const earlier = String(Date.now() - 60_000)
  await page.route('**/api/import-drafts/*/files', async (route) => {
    if (route.request().method() === 'POST') {
      seen.push(await page.evaluate("localStorage.getItem('nocturne.operator.seen')"))
      await page.evaluate(`localStorage.setItem('nocturne.operator.seen', '${earlier}')`)
    }
    await route.continue()
  })
  await sheetInput(page).setInputFiles(
    await upload(sheetFile('long.csv', [sheetRow('Long Night'), sheetRow('Long Day')])),
  )
  await page.getByRole('heading', { name: 'The first 2 rows' }).waitFor()
  await audioInput(page).setInputFiles([await song('Long Night.mp3', 810), await song('Long Day.mp3', 820)])
  await page.getByText('2 audio files', { exact: true }).waitFor()
  await button(page, 'Upload and check').click()
  await page.getByRole('heading', { name: 'The plan' }).waitFor()
  expect(seen).toHaveLength(2)
  expect(seen).not.toContain(earlier)
  expect(complaints).toEqual([])
})

test('audio not sent before a reload must be chosen again or left out before the import', async () => {
  const { page } = await openAnew()
  await sheetInput(page).setInputFiles(await upload(sheetFile('chosen.csv', [sheetRow('The Weir')])))
  await page.getByRole('heading', { name: 'The first row' }).waitFor()
  const weir = await song('The Weir.mp3', 800)
  await audioInput(page).setInputFiles([weir, await song('moonrise.mp3', 850)])
  await page.getByText('2 to be sent').waitFor()
  await button(page, 'Upload and check').click({ trial: true })

  await page.reload()
  await page.getByText('2 of 2 audio files have not been sent.').waitFor()
  expect(await page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0)
  await audioInput(page).setInputFiles([weir])
  await page.getByText('1 to be sent').waitFor()
  await button(page, 'Upload and check').click()
  await page.getByText('Choose the audio files that have not been sent, or leave them out.').waitFor()
  await button(page, 'Leave them out').click()
  await button(page, 'Upload and check').click()
  await page.getByText('1 audio file', { exact: true }).waitFor()
  await button(page, 'Import 1 row').waitFor()
})

test('an undo asked for again right after its dialog was closed opens the dialog', async () => {
  const { page, complaints } = await openAnew()
  await sheetInput(page).setInputFiles(await upload(sheetFile('again.csv', [sheetRow('The Jetty')])))
  await button(page, 'Upload and check').click()
  await button(page, 'Import 1 row').click()
  await page.getByRole('heading', { name: 'Import finished' }).waitFor()
  await page.goto('/jobs')
  const undo = button(page, 'Undo: again.csv')
  await undo.click()
  const dialog = page.getByRole('dialog', { name: 'Undo again.csv' })
  await dialog.waitFor()
  // The dialog's close event is delivered after the press.
  await undo.evaluate((pressed: HTMLElement) => {
    document.querySelector<HTMLDialogElement>('dialog:modal')?.close()
    pressed.click()
  })
  await dialog.getByRole('button', { name: 'Undo the import' }).click()
  await seeToast(page, 'Import undone')
  expect(await find('The Jetty')).toMatchObject({ status: 'removed' })
  expect(complaints).toEqual([])
})

test('a sheet replaced in another tab is shown before it is imported', async () => {
  const { page } = await openAnew()
  await sheetInput(page).setInputFiles(await upload(sheetFile('first.csv', [sheetRow('The Sluice')])))
  await button(page, 'Upload and check').click()
  await row(page, 'The Sluice').first().waitFor()
  const other = await page.context().newPage()
  await other.goto(path)
  await sheetInput(other).setInputFiles(await upload(sheetFile('second.csv', [sheetRow('The Lock')])))
  await row(other, 'The Lock').first().waitFor()

  await button(page, 'Import 1 row').click()
  await seeToast(page, 'Upload failed')
  await row(page, 'The Lock').first().waitFor()
  expect(await find('The Lock')).toBeNull()
  await button(page, 'Import 1 row').click()
  await page.getByRole('heading', { name: 'Import finished' }).waitFor()
  expect(await find('The Lock')).not.toBeNull()
  expect(await find('The Sluice')).toBeNull()
})

test('All or nothing imports no row when one fails and says why, and Start over discards the sheet', async () => {
  const { page } = await openAnew()
  await sheetInput(page).setInputFiles(
    await upload(sheetFile('strict.csv', [sheetRow('The Attic'), sheetRow('No Words', '')])),
  )
  await page.getByRole('heading', { name: 'The first 2 rows' }).waitFor()
  await button(page, 'Upload and check').click()
  await page.getByText('All or nothing').click()
  await button(page, 'Import 1 row').click()
  await page.getByText('Nothing was imported. Row 3, column F “Text”:').waitFor()
  await seeToast(page, 'Upload failed')
  expect(await find('The Attic')).toBeNull()
  await button(page, 'Start over').click()
  await page.getByText('.xlsx, .xls, .csv or .json.').waitFor()
})

test('a sheet and its MP3s are accepted when dropped together', async () => {
  const { page } = await openAnew()
  const sheet = await upload(sheetFile('dropped.csv', [sheetRow('The Orchard')]))
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer()
    data.items.add(new File([text], 'dropped.csv'))
    data.items.add(new File(['x'], 'the-orchard.mp3'))
    return data
  }, sheet.buffer.toString())
  await page.waitForFunction(() => document.querySelector('nocturne-island[data-name="excel-import"] input'))
  await page.locator('.dropzone').first().waitFor()
  await sheetInput(page).focus()
  await page.waitForLoadState('networkidle')
  await page.locator('.dropzone').first().dispatchEvent('drop', { dataTransfer: transfer })
  await page.getByText('dropped.csv', { exact: true }).waitFor()
  await page.getByText('1 audio file', { exact: true }).waitFor()
  expect(await (await page.request.get('/api/import-drafts')).json()).toMatchObject([
    { fileName: 'dropped.csv' },
  ])
})

test('a visitor sees the login card, and nothing of an import', async () => {
  const { page } = await openPage(site)
  await page.goto(path)
  await page.getByRole('heading', { name: 'Admin Login Required' }).waitFor()
  expect(await page.content()).not.toContain('Excel + MP3')
})

test('every step of the import has no accessibility or layout faults at either width and theme', async () => {
  const { page } = await openAnew()
  await page.goto(path)
  await page.getByText('Drop it here').waitFor()
  expect(await findFaults(page, 'empty')).toEqual([])
  const rows = [sheetRow('The Harbour'), sheetRow('Salt Air', 'Salt.', 'mail')]
  const columns = ['Titel', 'Voice', 'Categories', 'Short Description', 'Audio Length', 'Text']
  await sheetInput(page).setInputFiles(await upload(sheetFile('axe.xlsx', rows, columns)))
  await page.getByText('Column A “Titel” is not known, and no other is Name.').waitFor()
  await audioInput(page).setInputFiles([
    await song('moonrise.mp3', 700),
    { ...(await song('a.mp3', 1)), buffer: Buffer.from('no') },
  ])
  expect(await findFaults(page, 'chosen')).toEqual([])
  // An unknown column is read as the suggested one, or as the one that the operator chooses.
  const readAs = page.getByLabel('Read Titel as')
  expect(await readAs.inputValue()).toBe('undecided')
  await button(page, 'Did you mean Name?').click()
  await button(page, 'Did you mean Name?').waitFor({ state: 'detached' })
  expect(await readAs.inputValue()).toBe('Name')
  await page.getByRole('heading', { name: 'The first 2 rows' }).waitFor()
  await button(page, 'Upload and check').click()
  await page.getByRole('heading', { name: 'The plan' }).waitFor()
  await page.getByText('Row 3, column B “Voice”:').waitFor()
  expect(await findFaults(page, 'planned')).toEqual([])
  await button(page, 'Import 1 row').click()
  await page.getByRole('heading', { name: 'Import finished' }).waitFor()
  expect(await findFaults(page, 'finished')).toEqual([])
  await button(page, 'Undo this import').click()
  expect(await findFaults(page, 'asked')).toEqual([])
})

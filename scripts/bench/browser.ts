import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { sheetFile, sheetRow } from '#src/import/draft/testing'
import { toneMp3 } from '#src/narration/testing'
import { fillJobs, fillLibrary, fillMembers, fillReports } from './fill'
import { figure, heading, notMeasured } from './report'
import { benchToken, type Served, withServerAndDatabase } from './servers'

const items = 100_000
/** The number of members, reports and jobs. */
const others = 10_000
const scrolled = ['/premium-content', '/members', '/moderation', '/jobs']
const [rows, songs] = [1_000, 200]
const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Measures the console in a browser: its long lists while they are scrolled, and a large import while it runs. */
export async function benchBrowser(): Promise<void> {
  heading(
    `In a browser: the lists of ${items.toLocaleString('en')} items and ${others.toLocaleString('en')} members, reports and jobs, an import of ${rows} rows and ${songs} MP3s`,
  )
  if (!existsSync(chromiumPath)) return notMeasured('in a browser', `there is no ${chromiumPath}`)
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    await withServerAndDatabase(async (server, db) => {
      await importSheet(await openConsole(browser, server, '/premium-content?tab=excel'))
      await fillLibrary(db, items)
      for (const fill of [fillMembers, fillReports, fillJobs]) await fill(db, others)
      for (const path of scrolled) await scroll(await openConsole(browser, server, path), path)
    })
  } finally {
    await browser.close()
  }
}

async function openConsole(browser: Browser, server: Served, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.request.post('/api/admin/login', {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { token: benchToken },
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  return page
}

/** Scrolls to the end and back. Work that blocks the page for more than 50 ms is a long task. */
async function scroll(page: Page, path: string): Promise<void> {
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(globalThis, { longTasks: tasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration)
    }).observe({ type: 'longtask' })
  })
  await page.mouse.move(640, 400)
  for (const step of [...Array(60).fill(240), ...Array(60).fill(-240)]) {
    await page.mouse.wheel(0, step)
    await page.waitForTimeout(16)
  }
  await page.waitForTimeout(500)
  const tasks = await page.evaluate<number[]>('globalThis.longTasks')
  figure(`tasks over 50 ms while ${path} is scrolled`, tasks.length, '', { atMost: 0 })
}

async function importSheet(page: Page): Promise<void> {
  const names = Array.from({ length: rows }, (_, at) => `The Pier ${at + 1}`)
  const sheet = sheetFile(
    'coast.xlsx',
    names.map((name) => sheetRow(name)),
  )
  await page
    .getByLabel('Excel or CSV file', { exact: true })
    .setInputFiles({ name: sheet.name, mimeType: sheet.type, buffer: Buffer.from(await sheet.arrayBuffer()) })
  await page.getByRole('heading', { name: 'The first 3 rows' }).waitFor()
  const files = []
  for (const [at, name] of names.slice(0, songs).entries())
    files.push({
      name: `${name}.mp3`,
      mimeType: 'audio/mpeg',
      buffer: Buffer.from(await toneMp3(1, 200 + at)),
    })
  await page.getByLabel('MP3 files', { exact: true }).setInputFiles(files)
  await page.getByText(`${songs} audio files`, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Upload and check' }).click()
  const start = page.getByRole('button', { name: `Import ${rows.toLocaleString('en')} rows` })
  await start.waitFor({ timeout: 120_000 })
  await watchBar(page)
  await start.click()
  await page.getByRole('heading', { name: 'Import finished' }).waitFor({ timeout: 120_000 })
  const seen = await page.evaluate<Seen[]>('globalThis.seen')
  const pressed = seen[0]?.atMs ?? Number.NaN
  const values = seen.slice(1).map(({ value }) => value)
  figure('from the press to the bar', (seen[1]?.atMs ?? Number.NaN) - pressed, 'ms', { atMost: 1_000 })
  figure(
    'from the press to its first move',
    (seen.find(({ value }) => value > 0)?.atMs ?? Number.NaN) - pressed,
    'ms',
  )
  figure('values that it showed', new Set(values).size, '')
  figure('steps back', values.filter((value, at) => value < (values[at - 1] ?? 0)).length, '', { atMost: 0 })
}

type Seen = { atMs: number; value: number }

/** Records the time of the press, as the first entry, and each value that the progress bar shows after it. */
async function watchBar(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: { atMs: number; value: number }[] = []
    Object.assign(globalThis, { seen })
    document.addEventListener('click', () => seen.push({ atMs: performance.now(), value: 0 }), {
      once: true,
      capture: true,
    })
    const look = () => {
      const bar = document.querySelector<HTMLProgressElement>('progress[aria-label="Imported"]')
      if (bar && seen.length > 0) {
        const last = seen.length > 1 ? seen.at(-1)?.value : null
        if (bar.value !== last) seen.push({ atMs: performance.now(), value: bar.value })
      }
      requestAnimationFrame(look)
    }
    look()
  })
}

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { operatorToken, withDemoSite } from '#scripts/demo-site'
import { listViews, type View, type Viewer } from '#scripts/gallery/views'
import type { Feedback } from '#src/vote/schema'

/**
 * Takes pictures of every page, state and dialog of the demo library, wide and narrow, dark and paper, into .gallery,
 * with a page that shows them side by side. `bun run gallery player` takes only those whose name contains that word.
 * Views that cannot be taken are listed at the end, and fail the run.
 */
const folder = join(import.meta.dir, '../.gallery')
const filters = process.argv.slice(2)
const shapes = [
  { name: '1280 dark', width: 1280, height: 800, colorScheme: 'dark' },
  { name: '1280 paper', width: 1280, height: 800, colorScheme: 'light' },
  { name: '390 dark', width: 390, height: 844, colorScheme: 'dark' },
  { name: '390 paper', width: 390, height: 844, colorScheme: 'light' },
] as const
type Shape = (typeof shapes)[number]
type Site = { url: string; browser: Browser }

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const failures = await withDemoSite({ AGE_GATE: 'confirm' }, takeAll)
for (const failure of failures) console.error(failure)
console.log(`${failures.length} failed. Open ${join(folder, 'index.html')}`)
process.exit(failures.length > 0 ? 1 : 0)

async function takeAll(site: Site): Promise<string[]> {
  const failures: string[] = []
  const itemId = await fillIn(site)
  const views = listViews(itemId).filter(({ name }) => filters.every((filter) => name.includes(filter)))
  for (const shape of shapes) {
    const contexts = new Map<Viewer, Promise<BrowserContext>>()
    for (const view of views) {
      const context = await (contexts.get(view.as) ?? enter(site, shape, view.as))
      contexts.set(view.as, Promise.resolve(context))
      await take(context, view, join(folder, fileOf(view, shape))).catch((error) =>
        failures.push(`${view.name}, ${shape.name}: ${String(error).split('\n')[0]}`),
      )
    }
    for (const context of contexts.values()) await (await context).close()
    console.log(`${shape.name}: ${views.length} views`)
  }
  await Bun.write(join(folder, 'index.html'), indexOf(views))
  return failures
}

async function take(context: BrowserContext, { path, act }: View, file: string): Promise<void> {
  const page = await context.newPage()
  // Long, because a busy machine is no failure.
  page.setDefaultTimeout(30_000)
  try {
    await page.goto(path)
    await act?.(page)
    await page.waitForTimeout(400)
    await page.screenshot({ path: file, type: 'jpeg', quality: 80, fullPage: !act, animations: 'disabled' })
  } finally {
    await page.close()
  }
}

/** Opens a browser context for a kind of viewer, signed in if necessary. */
async function enter(site: Site, { width, height, colorScheme }: Shape, as: Viewer): Promise<BrowserContext> {
  const context = await site.browser.newContext({
    baseURL: site.url,
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  if (as === 'newcomer') return context
  const { request } = context
  await post(context, '/age', { form: { next: '/' } })
  if (as === 'operator')
    await post(context, '/api/admin/login', { data: { token: operatorToken, name: 'Ada' } })
  if (as !== 'member') return context
  const email = `${crypto.randomUUID()}@example.com`
  await post(context, '/api/auth/register', {
    data: { email, password: 'lanterns on the water', firstName: 'Iris' },
  })
  const [item] = await (await request.get('/api/content?q=ferry')).json()
  const place = { contentId: item.id, contentType: item.type, lastPositionSec: 60, totalSec: 300 }
  await post(context, '/api/content-favorites', {
    data: { contentKey: `${item.source}:${item.type}:${item.id}` },
  })
  await post(context, '/api/analytics/progress', { data: place })
  return context
}

/** Creates work for the console to show: reports, comments, held items, jobs. Returns an item's id. */
async function fillIn(site: Site): Promise<string> {
  const operator = await enter(site, shapes[0], 'operator')
  const member = await enter(site, shapes[0], 'member')
  const items: { id: string }[] = await (await member.request.get('/api/content')).json()
  const [first, second] = items
  if (!first || !second) throw new Error('The demo library has fewer than two items.')
  await post(member, `/api/stories/${first.id}/flags`, {
    data: { flagType: 'audio_fault', flagReason: 'It stops in the middle of the second scene.' },
  })
  await post(member, `/api/stories/${second.id}/feedback`, {
    data: {
      rating: 5,
      comments: 'I fell asleep before the end, and began again the next night.',
    } satisfies Feedback,
  })
  await post(operator, `/api/stories/${first.id}/narrate`, { data: {} })
  for (const context of [operator, member]) await context.close()
  return first.id
}

async function post(
  context: BrowserContext,
  path: string,
  body: { data?: object; form?: Record<string, string> },
) {
  const answer = await context.request.post(path, { ...body, headers: { 'sec-fetch-site': 'same-origin' } })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
}

function fileOf({ name }: View, shape: Shape): string {
  return `${name} ${shape.name}`.replace(/\W+/g, '-').concat('.jpeg')
}

function indexOf(views: readonly View[]): string {
  const sections = views.map((view) => {
    const pictures = shapes.map((shape) => {
      const file = fileOf(view, shape)
      return `<a href="${file}"><img src="${file}" alt="${shape.name}" loading="lazy" width="${shape.width / 4}"></a>`
    })
    return `<section><h2>${Bun.escapeHTML(view.name)}</h2>${pictures.join('\n')}</section>`
  })
  return `<!doctype html><meta charset="utf-8"><title>Gallery</title>
<style>body { font: 1rem system-ui; margin: 2rem } img { border: 1px solid #8886; margin: 0 1rem 1rem 0; vertical-align: top }</style>
${sections.join('\n')}`
}

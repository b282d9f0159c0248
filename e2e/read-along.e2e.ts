import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { jobs } from '#db/schema'
import { runWorker } from '#src/job/worker'
import { enqueueNarration, narrateKind } from '#src/narration/enqueue'
import { narrateHandler } from '#src/narration/narrate'
import { uploadTimings } from '#src/narration/upload/upload-timings'
import { publishTestItem } from '#src/testing/app'
import { narrateWithTone, openMemberPage, openPage, openSite } from '#src/testing/browser'
import { until } from '#src/testing/until'

const site = await openSite({ AGE_GATE: 'off' })
const { db, log } = site.services
const paragraphs = Array.from(
  { length: 12 },
  (_, at) =>
    `Lantern number ${at + 1} swayed above the harbour. Somebody hummed below, and the water answered.`,
)
const spoken = await publishTestItem(site.services, { title: 'Lanterns', content: paragraphs.join('\n\n') })
const uploaded = await publishTestItem(site.services, { title: 'Uploaded', content: paragraphs.join('\n\n') })
await narrateWithTone(site.services, uploaded.id, 5)
const worker = runWorker(
  { db, log },
  { concurrency: 1, handlers: { [narrateKind]: narrateHandler(site.services) } },
)
const jobId = await enqueueNarration(db, spoken.id, 'female')
await until(async () => {
  const [job] = await db
    .select({ state: jobs.state })
    .from(jobs)
    .where(eq(jobs.id, jobId ?? ''))
  return job?.state === 'done'
})
afterAll(async () => {
  await worker.stop()
})

const clockPart = (second: number) => `00:${String(second).padStart(2, '0')}.000`.slice(0, 9)

/** Returns the words under a highlight of the page. */
const lit = (page: Page, name: string) =>
  page.evaluate((of) => [...(CSS.highlights.get(of) ?? [])].map(String).join(' '), name)
const seconds = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLAudioElement>('#player-host audio')?.currentTime ?? -1)

/** Opens a text as a member and moves the mouse, because the timings are not fetched before that. */
async function openReading(path: string): ReturnType<typeof openMemberPage> {
  const opened = await openMemberPage(site, path)
  await opened.page.mouse.move(640, 300)
  return opened
}

test('the spoken sentence and word are highlighted, and clicking a word plays from it', async () => {
  const { page, complaints } = await openReading(`/story/${spoken.slug}`)
  await page.getByText('Read along').waitFor()
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await page.waitForFunction(() => [...(CSS.highlights.get('lit-sentence') ?? [])].length > 0)
  expect(paragraphs.join(' ')).toContain(await lit(page, 'lit-sentence'))
  await page.waitForFunction(() => [...(CSS.highlights.get('lit-word') ?? [])].length > 0)
  const first = await seconds(page)

  const point = await page.evaluate(() => {
    const paragraph = document.querySelectorAll('.story-text p')[5]
    paragraph?.scrollIntoView({ block: 'center', behavior: 'instant' })
    const node = paragraph?.firstChild as Text
    const range = document.createRange()
    const at = node.data.indexOf('hummed')
    range.setStart(node, at)
    range.setEnd(node, at + 6)
    const { x, y, width, height } = range.getBoundingClientRect()
    return { x: x + width / 2, y: y + height / 2 }
  })
  await page.mouse.click(point.x, point.y)
  await page.waitForFunction(() => String([...(CSS.highlights.get('lit-word') ?? [])][0]) === 'hummed')
  expect(await seconds(page)).toBeGreaterThan(first + 5)
  expect(await lit(page, 'lit-sentence')).toContain('Somebody hummed below')
  expect(complaints).toEqual([])
})

test('the arrow keys choose a word, and Enter plays from it', async () => {
  const { page, complaints } = await openReading(`/story/${spoken.slug}`)
  await page.getByText('Read along').waitFor()
  const text = page.getByRole('group', { name: /Left and right arrows choose a word/ })
  await text.focus()
  await page.keyboard.press('ArrowRight')
  expect(await lit(page, 'chosen-word')).toBe('Lantern')
  for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('ArrowRight')
  expect(await lit(page, 'chosen-word')).toBe('swayed')
  await page.keyboard.press('Shift+ArrowRight')
  expect(await lit(page, 'chosen-word')).toBe('Somebody')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => String([...(CSS.highlights.get('lit-word') ?? [])][0]) === 'Somebody')
  expect(complaints).toEqual([])
})

test('the page follows the voice until the reader scrolls', async () => {
  const { page } = await openReading(`/story/${spoken.slug}`)
  await page.setViewportSize({ width: 1280, height: 420 })
  await page.getByText('Read along').waitFor()
  const text = page.getByRole('group', { name: /choose a word/ })
  await text.focus()
  for (let steps = 0; steps < 16; steps += 1) await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Enter')
  const isInView = () => {
    const [range] = [...(CSS.highlights.get('lit-sentence') ?? [])]
    const box = range instanceof Range ? range.getBoundingClientRect() : null
    return box !== null && box.top > 0 && box.bottom < innerHeight
  }
  await page.waitForFunction(isInView)
  await page.mouse.move(640, 200)
  await page.mouse.wheel(0, -4_000)
  await page.waitForFunction(() => window.scrollY < 5)
  const before = await lit(page, 'lit-sentence')
  await page.waitForFunction(
    (was) => String([...(CSS.highlights.get('lit-sentence') ?? [])][0]) !== was,
    before,
  )
  expect(await page.evaluate(() => window.scrollY)).toBeLessThan(5)
})

test('a text opens at the sentence where listening stopped', async () => {
  const { page } = await openReading(`/story/${spoken.slug}`)
  await page.setViewportSize({ width: 1280, height: 420 })
  await page.getByText('Read along').waitFor()
  await page.getByRole('group', { name: /choose a word/ }).focus()
  for (let steps = 0; steps < 14; steps += 1) await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => [...(CSS.highlights.get('lit-sentence') ?? [])].length > 0)
  const heard = await lit(page, 'lit-sentence')
  // Less than half a second does not count as listening, and the element reports its time four times a second.
  const started = await seconds(page)
  await until(async () => (await seconds(page)) > started + 1)
  const saved = page.waitForResponse(
    (response) => response.ok() && /"reason":"close"/.test(response.request().postData() ?? ''),
  )
  await page.getByRole('button', { name: 'Stop and close' }).click()
  await saved
  await page.goto(`/story/${spoken.slug}`)
  await page.getByText('Read along').waitFor()
  await page.waitForFunction((sentence) => {
    const at = [...document.querySelectorAll('.story-text p')].find((each) =>
      each.textContent?.includes(sentence),
    )
    const box = at?.getBoundingClientRect()
    return box !== undefined && box.top > -60 && box.top < innerHeight
  }, heard)
})

test('audio without word timings says so', async () => {
  const { page } = await openReading(`/story/${uploaded.slug}`)
  await page.getByText('This recording has no word timings').waitFor()
})

test('uploaded audio with timings highlights the spoken sentence', async () => {
  const item = await publishTestItem(site.services, { title: 'Recorded', content: paragraphs.join('\n\n') })
  await narrateWithTone(site.services, item.id, 48)
  const cues = paragraphs.map(
    (text, at) => `00:${clockPart(at * 4)} --> 00:${clockPart(at * 4 + 4)}\n${text}`,
  )
  await uploadTimings(db, item.id, { voice: 'female', file: ['WEBVTT', ...cues].join('\n\n') }, 'Ada')
  const { page, complaints } = await openReading(`/story/${item.slug}`)
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await page.waitForFunction(() => [...(CSS.highlights.get('lit-sentence') ?? [])].length > 0)
  expect(await lit(page, 'lit-sentence')).toContain('Lantern number 1 swayed')
  // The element seeks to its position before it plays.
  await page.waitForFunction(
    () => (document.querySelector<HTMLAudioElement>('#player-host audio')?.currentTime ?? 0) > 0,
  )
  await page.evaluate(() => {
    const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
    if (audio) audio.currentTime = 21
  })
  await page.waitForFunction(() =>
    String([...(CSS.highlights.get('lit-sentence') ?? [])][0]).includes('Lantern number 6'),
  )
  expect(complaints).toEqual([])
})

test('a visitor sees no Read along for audio that they may not hear', async () => {
  const { page, complaints } = await openPage(site)
  // On a busy machine the island is hydrated and sends its request before the page counts as loaded.
  const times = page.waitForResponse('**/timings')
  await page.goto(`/story/${spoken.slug}`)
  await page.mouse.move(640, 300)
  await times
  expect(await page.getByText('Read along').count()).toBe(0)
  expect(complaints).toEqual([])
})

import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { jobs } from '#db/schema'
import { cancelJob } from '#src/job/cancel-retry'
import { priorities } from '#src/job/rules'
import type { Worker } from '#src/job/worker'
import { enqueueNarration } from '#src/narration/enqueue'
import { startNarrating } from '#src/narration/start'
import { publishTestItem } from '#src/testing/app'
import { openMemberPage, openPage, openSite } from '#src/testing/browser'
import { player, waitUntilPlaying } from '#src/testing/player'
import { until } from '#src/testing/until'

/** Play on an item of the library whose narration is still queued in the background. */
const site = await openSite({ AGE_GATE: 'off' })
const { db } = site.services
let worker: Worker | undefined
afterAll(() => worker?.stop())

const words = 'This one is being read aloud for the first time. It starts in a moment.'
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()

async function publishWaiting(title: string) {
  const item = await publishTestItem(site.services, { title })
  const jobId = await enqueueNarration(db, item.id, 'female', { priority: priorities.background })
  return { ...item, jobId: jobId ?? '' }
}

async function priorityOf(jobId: string) {
  const [job] = await db.select({ priority: jobs.priority }).from(jobs).where(eq(jobs.id, jobId))
  return job?.priority
}

test('Play moves a queued narration to the front, says so, and starts when it is ready', async () => {
  const first = await publishWaiting('First in line')
  const { slug, jobId } = await publishWaiting('Lantern')
  const { page, complaints } = await openMemberPage(site, `/story/${slug}`)
  await press(page, 'Play')
  await player(page).getByText(words, { exact: true }).waitFor()
  expect(await priorityOf(jobId)).toBe(priorities.listener)
  expect(await priorityOf(first.jobId)).toBe(priorities.background)
  worker = startNarrating(site.services, { isFirstStart: false })
  await waitUntilPlaying(page)
  await player(page).getByText(words, { exact: true }).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await worker.stop()
})

test('Pause stops waiting for a queued narration, and a cancelled one is not available', async () => {
  const { slug, jobId } = await publishWaiting('Harbour')
  const { page, complaints } = await openMemberPage(site, `/story/${slug}`)
  await press(page, 'Play')
  const note = player(page).getByText(words, { exact: true })
  await note.waitFor()
  await press(page, 'Pause')
  await note.waitFor({ state: 'detached' })
  await press(page, 'Play')
  await note.waitFor()
  await cancelJob(db, jobId, 'Ada')
  await page.getByText('Audio not available', { exact: true }).waitFor()
  await note.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('a visitor who plays a queued narration is asked to sign up, and its priority stays', async () => {
  const { slug, jobId } = await publishWaiting('Orchard')
  const { page } = await openPage(site)
  await page.goto(`/story/${slug}`)
  await press(page, 'Play')
  await page.getByRole('dialog').waitFor()
  await until(async () => (await priorityOf(jobId)) === priorities.background)
})

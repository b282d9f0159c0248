import { beforeEach, expect, test } from 'bun:test'
import { and, eq, isNull } from 'drizzle-orm'
import type { Request } from 'playwright-core'
import { reports, throttles } from '#db/schema'
import { takeMails } from '#src/mail/testing'
import { register } from '#src/member/sign-in/register'
import { decideReport } from '#src/moderation/decide'
import { reportItem } from '#src/moderation/report'
import { memberPassword, publishTestItem } from '#src/testing/app'
import {
  narrateWithTone,
  openOperatorPage,
  openPage,
  openSite,
  seeFocus,
  seeToast,
} from '#src/testing/browser'
import { findBarriers, findFaults } from '#src/testing/find-faults'
import { rateItem } from '#src/vote/rate'

const site = await openSite()
const { services } = site
const story = await publishTestItem(services, { title: 'Slow Train North' })
const flow = await publishTestItem(services, { title: 'Ten Breaths', type: 'flow' })
beforeEach(async () => {
  await services.db.delete(throttles)
  await services.db.delete(reports)
})

let addresses = 0
async function reportFromElsewhere(storyId: string, flagReason: string): Promise<void> {
  addresses += 1
  await reportItem(
    services.db,
    storyId,
    { flagType: 'audio_fault', flagReason },
    { memberId: null, addressHash: `hash ${addresses}` },
  )
}

test('a visitor’s report is reviewed, its item removed with a reason and mail, and restored', async () => {
  await narrateWithTone(services, story.id, 2)
  const visitor = await openPage(site)
  await visitor.page.goto(`/story/${story.slug}`)
  await visitor.page.getByRole('link', { name: 'Report' }).click()
  const report = visitor.page.getByRole('dialog', { name: 'Report “Slow Train North”' })
  await report.getByLabel('What is it about?').selectOption({ label: 'Not as described' })
  await report.getByLabel('In your own words').fill('There is an argument in the middle.')
  await report.getByLabel('Email, if you like').fill('carl@example.com')
  await report.getByRole('button', { name: 'Send report' }).click()
  const thanks = visitor.page.getByRole('dialog', { name: 'Thank you' })
  await thanks.getByText('Thank you. A person reads this.').waitFor()
  await visitor.page.keyboard.press('Enter')
  await thanks.waitFor({ state: 'hidden' })
  expect(await visitor.page.evaluate(() => document.activeElement?.textContent)).toBe('Report')

  const { page, complaints } = await openOperatorPage(site, '/analytics')
  await page.getByRole('link', { name: 'Content Moderation' }).click()
  const row = page.getByRole('article').filter({ hasText: 'Slow Train North' })
  await row.getByText('There is an argument in the middle.').waitFor()
  await row.getByRole('button', { name: 'Review: Slow Train North' }).click()
  await row.getByText('in review by Ada').waitFor()
  await seeFocus(row.getByRole('heading', { name: 'Slow Train North' }))
  await row.getByRole('button', { name: 'Remove: Slow Train North' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove “Slow Train North”' })
  await dialog.getByText('Sent to the reporter.').waitFor()
  await dialog.getByLabel('Reason').fill('The note on the argument is missing.')
  await dialog.getByRole('button', { name: 'Remove it' }).click()
  await page.getByText('Content removed').first().waitFor()
  await page.getByText('Nothing is waiting for a decision.').waitFor()

  expect((await visitor.page.goto(`/story/${story.slug}`))?.status()).toBe(404)
  await visitor.page.goto('/stories')
  expect(await visitor.page.getByText('Slow Train North').count()).toBe(0)
  const [mail] = await takeMails(services)
  expect(mail).toMatchObject({ to: 'carl@example.com', subject: 'About what you reported' })
  expect(mail?.text).toContain('The note on the argument is missing.')

  await page.getByRole('link', { name: 'All reports' }).click()
  await page.waitForURL('**/moderation')
  await page.getByRole('link', { name: 'Decided' }).click()
  await page.waitForURL('**/moderation?state=decided')
  await row.getByText('removed by Ada').waitFor()
  await row.getByRole('button', { name: 'Restore: Slow Train North' }).click()
  const restoring = page.getByRole('dialog', { name: 'Restore “Slow Train North”' })
  await restoring.getByRole('button', { name: 'Restore it' }).click()
  await page.getByText('Content restored').first().waitFor()
  await row.getByText('approved by Ada').waitFor()
  expect((await visitor.page.goto(`/story/${story.slug}`))?.status()).toBe(200)
  expect(complaints).toEqual([])
  expect(visitor.complaints).toEqual([])
})

test('Report in the reader over a list opens the dialog, and Esc closes only the dialog', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/stories')
  await page.getByRole('link', { name: 'Slow Train North' }).first().click()
  const reader = page.getByRole('dialog', { name: 'Slow Train North', exact: true })
  await reader.getByRole('link', { name: 'Report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report “Slow Train North”' })
  await dialog.waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await reader.isVisible()).toBe(true)
  expect(complaints).toEqual([])
})

test('the report dialog shows a validation error and keeps the input', async () => {
  const { page } = await openPage(site)
  await page.goto(`/flow/${flow.slug}`)
  await page.getByRole('link', { name: 'Report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report “Ten Breaths”' })
  await dialog.getByLabel('What is it about?').selectOption({ label: 'Something else' })
  await dialog.getByLabel('Email, if you like').fill('carl@example.com')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await dialog.getByText('Say in a few words what is wrong.').waitFor()
  expect(await dialog.getByLabel('Email, if you like').inputValue()).toBe('carl@example.com')
})

test('an item can be reported without JavaScript', async () => {
  const { page } = await openPage(site, { javaScriptEnabled: false })
  await page.goto(`/story/${story.slug}`)
  await page.getByRole('link', { name: 'Report' }).click()
  await page.getByLabel('What is it about?').selectOption({ label: 'Wrong category' })
  await page.getByRole('button', { name: 'Send report' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await page.getByRole('link', { name: 'Back to “Slow Train North”' }).click()
  await page.getByRole('heading', { name: 'Slow Train North' }).waitFor()
})

test('the dashboard shows the five newest reports and fills up after a decision, by keyboard', async () => {
  for (let at = 1; at <= 7; at += 1) await reportFromElsewhere(at > 5 ? flow.id : story.id, `Report ${at}`)
  const { page, complaints } = await openOperatorPage(site, '/analytics?tab=moderation')
  const reasons = page.locator('.flag-words')
  await page.waitForFunction(() => document.querySelectorAll('.flag-words').length === 5)
  expect(await reasons.allTextContents()).toEqual([7, 6, 5, 4, 3].map((at) => `Report ${at}`))

  await page.getByRole('button', { name: 'Approve: Ten Breaths' }).first().focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Approve “Ten Breaths”' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Reason').focus()
  await page.keyboard.type('Heard twice, all well.')
  for (const name of ['Cancel', 'Approve it']) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name)
  }
  await page.keyboard.press('Enter')
  await page.getByText('Content approved').first().waitFor()
  await page.getByText('Report 2', { exact: true }).waitFor()
  expect(await reasons.allTextContents()).toEqual([6, 5, 4, 3, 2].map((at) => `Report ${at}`))
  expect(complaints).toEqual([])
})

test('figures requested before a decision and answered after it do not show the decided report again', async () => {
  await reportFromElsewhere(story.id, 'Before the decision')
  const { page, complaints } = await openOperatorPage(site, '/admin')
  await page.clock.install()
  await page.goto('/analytics?tab=moderation')
  const [read, late] = [Promise.withResolvers<Request>(), Promise.withResolvers<void>()]
  await page.route(
    '**/api/content-flags?**',
    async (route) => {
      const response = await route.fetch()
      read.resolve(route.request())
      await late.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await page.clock.runFor('00:30')
  const request = await read.promise
  await page.getByRole('button', { name: `Approve: ${story.title}` }).press('Enter')
  await page.getByRole('button', { name: 'Approve it' }).press('Enter')
  await page.getByText('Nothing is waiting for a decision.').waitFor()
  await page.evaluate(() => {
    const look = () => {
      if (document.querySelector('article')?.textContent.includes('Before the decision'))
        document.body.dataset.returned = ''
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
  })
  late.resolve()
  await (await request.response())?.finished()
  await reportFromElsewhere(flow.id, 'After the decision')
  await page.clock.runFor('00:30')
  await page.getByText('After the decision').waitFor()
  expect(await page.locator('body[data-returned]').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a toast after a dialog that was closed and opened again at once is shown', async () => {
  await reportFromElsewhere(story.id, 'Opened twice')
  const { page, complaints } = await openOperatorPage(site, '/analytics?tab=moderation')
  const approve = page.getByRole('button', { name: `Approve: ${story.title}` }).first()
  await approve.click()
  const dialog = page.getByRole('dialog', { name: `Approve “${story.title}”` })
  await dialog.waitFor()
  await approve.evaluate((button: HTMLButtonElement) => {
    document.querySelector<HTMLDialogElement>('dialog:modal')?.close()
    button.click()
  })
  await dialog.getByRole('button', { name: 'Approve it' }).click()
  await seeToast(page, 'Content approved')
  expect(complaints).toEqual([])
})

test('removing an item decides all its reports, and an approved selection can be undone', async () => {
  await reportFromElsewhere(story.id, 'One')
  await reportFromElsewhere(flow.id, 'Another')
  await reportFromElsewhere(story.id, 'Two')
  const { page } = await openOperatorPage(site, '/moderation')
  await page.getByRole('button', { name: 'Remove: Slow Train North' }).first().click()
  await page.getByRole('button', { name: 'Remove it' }).click()
  await page.getByText('Content removed').first().waitFor()
  expect(await page.locator('.flag-words').allTextContents()).toEqual(['Another'])
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Reports 1')
  await page.goto('/moderation?state=decided')
  await page.getByRole('button', { name: 'Restore: Slow Train North' }).first().click()
  await page.getByRole('button', { name: 'Restore it' }).click()
  await page.getByText('Content restored').first().waitFor()
  await page.waitForFunction(() => document.body.textContent?.match(/approved by Ada/g)?.length === 2)

  await page.goto('/moderation')
  await page.getByRole('button', { name: 'Approve: Ten Breaths' }).focus()
  await page.keyboard.press('x')
  const selection = page.getByRole('region', { name: 'Selection' })
  await selection.getByText('1 report selected').waitFor()
  await selection.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('waiting → approved').waitFor()
  await page.getByRole('button', { name: 'Approve: 1 report' }).click()
  // The toast is shown for five seconds, and the list without the report may take longer than that.
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await seeToast(page, 'Undone')
  const isPending = and(eq(reports.flagReason, 'Another'), isNull(reports.resolvedAt))
  expect(await services.db.$count(reports, isPending)).toBe(1)
  await page.getByText('Another').waitFor()
})

test('a report that another operator has decided names them and is not decided again', async () => {
  await reportFromElsewhere(story.id, 'One')
  const { page } = await openOperatorPage(site, '/moderation')
  const [report] = await services.db.select({ id: reports.id }).from(reports)
  await decideReport(services, report?.id ?? '', { moderatorAction: 'approve' }, 'Jonas')
  await page.getByRole('button', { name: 'Approve: Slow Train North' }).click()
  await page.getByRole('button', { name: 'Approve it' }).click()
  await page.getByText('This was already decided by Jonas.').first().waitFor()
  expect(await services.db.select({ by: reports.moderator }).from(reports)).toEqual([{ by: 'Jonas' }])
})

test('an operator reads comments from the reports and from the item, and removes one', async () => {
  for (const [item, comments] of [
    [story, 'The ending stayed with me.'],
    [flow, 'Something unkind.'],
  ] as const) {
    const email = `${crypto.randomUUID()}@example.com`
    const { id } = await register(services.db, { email, password: memberPassword }, email)
    await rateItem(services.db, id, item.id, { rating: 4, comments, tags: ['The voice'] })
  }
  const { page, complaints } = await openOperatorPage(site, '/moderation')
  await page.getByRole('link', { name: 'What members say' }).click()
  await page.waitForURL('**/feedback')
  await page.getByText('The ending stayed with me.').waitFor()
  expect(await findFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove: Ten Breaths' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove the comment on “Ten Breaths”?' })
  await dialog.waitFor()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Remove it' }).press('Enter')
  await page.getByText('Comment removed').first().waitFor()
  await page.getByText('Something unkind.').waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('comments')
  await page.goto(`/premium-content?edit=${story.id}`)
  await page.getByRole('link', { name: 'What members say about it' }).click()
  await page.waitForURL(`**/feedback?item=${story.id}`)
  await page.getByText('The ending stayed with me.').waitFor()
  expect(complaints).toEqual([])
})

test('reporting and moderation have no accessibility or layout faults at either width and theme', async () => {
  for (let at = 1; at <= 3; at += 1) await reportFromElsewhere(story.id, `Report ${at}`)
  const visitor = await openPage(site)
  const operator = await openOperatorPage(site, '/moderation')
  await visitor.page.goto(`/report/${story.id}`)
  expect(await findFaults(visitor.page, 'form')).toEqual([])
  await visitor.page.goto(`/story/${story.slug}`)
  await visitor.page.getByRole('link', { name: 'Report' }).click()
  await visitor.page.getByLabel('What is it about?').waitFor()
  expect(await findFaults(visitor.page, 'dialog')).toEqual([])
  for (const path of ['/analytics?tab=moderation', '/moderation', '/moderation?state=all']) {
    await operator.page.goto(path)
    expect(await findFaults(operator.page, path)).toEqual([])
  }
  await operator.page.getByRole('button', { name: 'Remove: Slow Train North' }).first().click()
  await operator.page.getByLabel('Reason').waitFor()
  expect(await findFaults(operator.page, 'decision')).toEqual([])
  expect([...visitor.complaints, ...operator.complaints]).toEqual([])
})

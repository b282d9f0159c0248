import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { publishTestItem } from '#src/testing/app'
import { islandsAwake, openOperatorPage, openSite, pressTwice, seeToast } from '#src/testing/browser'
import { until } from '#src/testing/until'

const site = await openSite({ AGE_GATE: 'off' })
const item = await publishTestItem(site.services, { content: 'The last boat left at ten.' })

/** Answers the questions of a page as `answer` says, and records them. */
function answerQuestions(page: Page) {
  const questions = { asked: [] as string[], answer: 'stay' as 'stay' | 'leave' }
  page.on('dialog', async (dialog) => {
    questions.asked.push(dialog.type())
    await (questions.answer === 'leave' ? dialog.accept() : dialog.dismiss())
  })
  return questions
}

const jobs = (page: Page) => page.getByRole('link', { name: 'Jobs', exact: true }).first()

test('unsaved input asks before a link, Back or a reload discards it, and submitted input does not', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content')
  const questions = answerQuestions(page)
  await page.getByRole('link', { name: 'Single Upload' }).click()
  const title = page.getByLabel('Title', { exact: true })
  await title.click()
  await islandsAwake(page)
  await page.keyboard.type('Half typed')
  await page.getByLabel('Content', { exact: true }).fill('Half of a text.')
  const address = page.url()

  await jobs(page).click()
  await page.evaluate(() => history.back())
  await until(() => questions.asked.length === 2)
  expect(questions.asked).toEqual(['confirm', 'confirm'])
  await page.waitForURL(address)
  expect([page.url(), await title.inputValue()]).toEqual([address, 'Half typed'])

  questions.answer = 'leave'
  await page.reload()
  expect(questions.asked).toEqual(['confirm', 'confirm', 'beforeunload'])
  await title.click()
  await page.keyboard.type('Wholly typed')
  await page.getByLabel('Content', { exact: true }).fill('A text.')
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await seeToast(page, 'Content uploaded successfully')
  await jobs(page).click()
  await page.waitForURL('**/jobs')
  expect(questions.asked).toHaveLength(3)

  await page.goBack()
  await title.click()
  await islandsAwake(page)
  await title.fill('Typed again')
  await jobs(page).click()
  await page.waitForURL('**/jobs')
  expect(questions.asked).toHaveLength(4)
  expect(complaints).toEqual([])
})

test('leaving quickly never asks about unsaved input', async () => {
  const { page } = await openOperatorPage(site, '/premium-content?tab=single')
  const questions = answerQuestions(page)
  await page.getByLabel('Title', { exact: true }).click()
  await page.keyboard.type('Half typed')
  await pressTwice(page, 'Escape')
  await page.waitForURL('**/leave')
  expect(questions.asked).toEqual([])
})

test('every other form of the console asks before unsaved input is discarded', async () => {
  const { page } = await openOperatorPage(site, '/premium-content?tab=bulk')
  const questions = answerQuestions(page)
  const asks = async (what: string) => {
    await jobs(page).click()
    expect([what, ...questions.asked.splice(0)]).toEqual([what, 'confirm'])
  }
  const open = async (path: string) => {
    questions.answer = 'leave'
    await page.goto(path)
    Object.assign(questions, { asked: [], answer: 'stay' })
  }
  await page.getByRole('button', { name: 'Add Item' }).click()
  await asks('list')
  await open('/challenge-editor?id=new')
  await page.getByLabel('Name', { exact: true }).fill('Ten Evenings')
  await asks('challenge')
  await open(`/studio/${item.id}`)
  await page.getByRole('button', { name: 'Edit text' }).click()
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('The last boat left at eleven.')
  await asks('studio')
  await page.getByRole('button', { name: 'Save text' }).click()
  await seeToast(page, 'Text saved')
  await open('/admin')
  await page.getByLabel('Paste rows: Name, Category, Tags, Story').fill('A | romantic | b | c')
  await asks('paste')
  await open('/admin')
  await page.getByLabel('Title', { exact: true }).fill('Half typed')
  await asks('story')
  await open('/training')
  await page.getByRole('button', { name: 'Add Guideline' }).click()
  await page.getByLabel('Keywords or phrases').fill('skylight')
  await page.keyboard.press('Escape')
  await asks('guideline')
})

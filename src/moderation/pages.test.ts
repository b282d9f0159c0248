import { expect, test } from 'bun:test'
import { reports, throttles } from '#db/schema'
import { browser, markupOf, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const ana = await memberBrowser(app, 'ana@example.com')
const { id, slug } = await publishTestItem(services, { title: 'The Lamp <i>' })
const flow = await publishTestItem(services, { title: 'Ten Breaths', type: 'flow' })
const path = `/report/${id}`

test('story and flow pages link to their report form', async () => {
  for (const [page, itemId] of [
    [`/story/${slug}`, id],
    [`/flow/${flow.slug}`, flow.id],
  ])
    expect(await markupOf(await browser(app).call(page ?? ''))).toContain(`href="/report/${itemId}"`)
})

test('the form asks visitors for an email, members for none, and is not indexed', async () => {
  const page = await markupOf(await browser(app).call(path))
  expect(page).toContain('Report “The Lamp &lt;i&gt;”')
  expect(page).toContain('name="email"')
  expect(page).toContain('noindex')
  const members = await markupOf(await ana.call(path))
  expect(members).not.toContain('name="email" autoComplete')
  expect(members).toContain('We will write to you when it is decided.')
})

test('submitting the form stores the report and thanks the sender', async () => {
  const form = { flagType: 'audio_fault', flagReason: 'Cuts out at 11:02.', email: '' }
  const answer = await browser(app, '10.21.0.1').call(path, { form })
  expect(answer.status).toBe(200)
  expect(await markupOf(answer)).toContain('Thank you. A person reads this.')
  await browser(app, '10.21.0.1').call(path, { form: { ...form, email: 'carl@example.com' } })
  const stored = await db.select().from(reports).orderBy(reports.id)
  expect(stored).toMatchObject([
    { storyId: id, flagType: 'audio_fault', flagReason: 'Cuts out at 11:02.', reporterEmail: null },
    { reporterEmail: 'carl@example.com', flaggedBy: null },
  ])
})

test('a rejected form keeps its input and says why; the fourth report is rate-limited', async () => {
  const who = browser(app, '10.21.0.2')
  const form = { flagType: 'other', flagReason: ' ', email: 'carl@example.com' }
  const refused = await who.call(path, { form })
  expect(refused.status).toBe(422)
  const page = await markupOf(refused)
  expect(page).toContain('Say in a few words what is wrong.')
  expect(page).toContain('value="carl@example.com"')
  await db.delete(throttles)
  const statuses: number[] = []
  for (let time = 0; time < 4; time += 1)
    statuses.push((await who.call(path, { form: { ...form, flagReason: 'It is hard to say' } })).status)
  expect(statuses).toEqual([200, 200, 200, 429])
})

test('an unknown item returns 404, and a cross-site submission 403', async () => {
  const html = { accept: 'text/html' }
  for (const nowhere of ['/report/nothing', `/report/${Bun.randomUUIDv7()}`]) {
    expect((await browser(app).call(nowhere, { headers: html })).status).toBe(404)
    const sent = await browser(app).call(nowhere, { form: { flagType: 'spam' }, headers: html })
    expect(sent.status).toBe(404)
  }
  const cross = await browser(app).call(path, {
    form: { flagType: 'spam' },
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect(cross.status).toBe(403)
})

test('the dashboard and the moderation page count reports and held texts', async () => {
  const ada = await operatorBrowser(app)
  const pageOf = async (at: string) => (await markupOf(await ada.call(at))).replaceAll('<!-- -->', '')
  const stored = await db.$count(reports)
  expect(stored).toBeGreaterThan(0)
  expect(await pageOf('/admin')).not.toContain('held text')
  const draft = { title: 'The Pier', content: 'Nobody was there.', categories: ['romantic'] }
  const own = await ana.json('/api/user/content', { json: draft })
  await ana.call(`/api/user/content/${own.id}/share`, { method: 'POST', json: {} })
  const dashboard = await pageOf('/admin')
  expect(dashboard).toContain('<a href="/training?tab=held">1 held text</a>')
  expect(dashboard).toContain(`<a href="/moderation">${stored} report`)
  expect(await pageOf('/moderation')).toContain('Held for review (1)')
  expect(await pageOf('/training?tab=held')).toContain(`<a href="/studio/${own.id}">The Pier</a>`)
})

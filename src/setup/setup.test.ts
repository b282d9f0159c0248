import { expect, test } from 'bun:test'
import { newId } from '#db/columns'
import { auditLog, jobs } from '#db/schema'
import { seedDemo } from '#src/demo/seed'
import { takeMails } from '#src/mail/testing'
import { recordChange } from '#src/operator/audit'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { checkReached } from './check-public'
import { checkAddress, checkDelivery, checkName } from './checks'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
const page = async (path: string) => (await operator.call(path)).text()
const stepsOf = async (): Promise<Record<string, string>> => {
  const { steps } = await operator.json('/api/setup')
  return Object.fromEntries(
    steps.map(({ title, isDone, finding }: { title: string; isDone: boolean; finding: { what: string } }) => [
      title,
      `${isDone}: ${finding.what}`,
    ]),
  )
}

test('the first steps are visible to operators only', async () => {
  for (const each of [browser(app), await memberBrowser(app, 'mara@example.com')]) {
    expect((await each.call('/api/setup')).status).toBe(401)
    expect(await (await each.call('/setup')).text()).not.toContain('The way to a public site')
    expect((await each.call('/setup/demo', { form: { action: 'remove' } })).status).toBe(401)
  }
})

test('an empty library offers three ways to fill it on the dashboard, setup and library pages', async () => {
  for (const path of ['/admin', '/setup', '/premium-content'])
    for (const way of ['Import a sheet', 'Drop a folder', 'Write one'])
      expect(await page(path)).toContain(way)
})

test('the demo library can be removed and restored without JavaScript', async () => {
  await db.delete(auditLog)
  expect(await seedDemo(db)).toBe(true)
  expect(await page('/setup')).toMatch(/Remove \d+ stories, \d+ flows and 2 challenges/)
  expect(await page('/admin')).toContain('Write one')
  const gone = await operator.call('/setup/demo', { form: { action: 'remove' } })
  expect(gone.headers.get('location')).toBe('/setup?said=remove')
  expect(await page('/setup?said=remove')).toContain('Bring the demo back')
  expect(await page('/premium-content')).toContain('No premium content yet')
  await operator.call('/setup/demo', { form: { action: 'restore' } })
  expect(await page('/setup')).not.toContain('Bring the demo back')
})

test('a test mail is sent by operators only, and only to a valid address', async () => {
  const send = (who: typeof operator, email: string) => who.call('/setup/mail', { form: { email } })
  expect((await send(browser(app), 'ada@example.com')).status).toBe(401)
  await takeMails(services)
  const refused = await send(operator, 'nowhere')
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('value="nowhere"')
  expect(await takeMails(services)).toEqual([])
  expect((await send(operator, 'ada@example.com')).headers.get('location')).toBe('/setup?said=mail')
  expect(await takeMails(services)).toMatchObject([
    { to: 'ada@example.com', subject: 'A test mail of Nocturne' },
  ])
  const call = (email: string) => operator.call('/api/setup/mail', { json: { email } })
  expect((await call('nowhere')).status).toBe(422)
  expect(await (await call('mara@example.com')).json()).toEqual({ success: true })
  expect(await takeMails(services)).toMatchObject([{ to: 'mara@example.com' }])
})

test('each setup step shows what the program found', async () => {
  expect(await stepsOf()).toMatchObject({
    'A name': expect.stringContaining('false: the site has no name of its own yet'),
    'An address': expect.stringContaining('false: only this network finds it'),
    Mail: expect.stringContaining('since SMTP_URL is not set'),
    'A backup': 'false: none was made by nocturne backup yet',
    'A voice': expect.stringContaining('false: nothing was spoken yet'),
  })
  await recordChange(db, 'Ada', { action: 'backup', subjectType: 'library' })
  await db.insert(jobs).values({
    kind: 'narrate',
    dedupeKey: 'x',
    payload: {},
    state: 'failed',
    error: 'The key was refused.',
    finishedAt: new Date(),
  })
  expect(await stepsOf()).toMatchObject({
    'A backup': 'true: the last was made today',
    'A voice': 'false: the last narration failed: The key was refused.',
  })
  await publishTestItem(services, { title: 'The Night Ferry' })
  expect(await page('/admin')).not.toContain('Write one')
  expect(await page('/admin')).toContain('1 of 5 done')
})

test('the address check passes only if the address leads to this server', async () => {
  const answers = [Response.json({ status: 'ok' }), new Response('another site'), Response.redirect('/', 302)]
  using server = Bun.serve({ port: 0, fetch: () => answers.shift() ?? new Response(null, { status: 502 }) })
  const publicUrl = server.url.origin
  expect(await checkReached({ publicUrl })).toEqual({
    subject: 'address',
    isRight: true,
    what: `people find it at ${publicUrl}`,
  })
  for (const status of [200, 302, 502])
    expect(await checkReached({ publicUrl })).toMatchObject({
      what: `${publicUrl} does not lead here from this machine: something else answers, with status ${status}.`,
      mend: expect.stringContaining('doctor --deploy'),
    })
})

test('the name and address checks accept a custom name and a public HTTPS address', () => {
  expect(checkName({ siteName: 'Lamplight' })).not.toHaveProperty('mend')
  expect(checkAddress({ publicUrl: 'https://stories.lamplight.org' })).not.toHaveProperty('mend')
  for (const publicUrl of [
    'http://stories.lamplight.org',
    'https://localhost:3000',
    'https://192.168.1.5',
    'https://[::1]:3000',
    'https://nas.local',
    'https://box',
  ])
    expect(checkAddress({ publicUrl })).toHaveProperty('mend')
})

test('the mail delivery check passes once a server accepts a mail, and fails after a refused one', async () => {
  const sent = (values: object) =>
    db.insert(jobs).values({ id: newId(), kind: 'mail', dedupeKey: newId(), payload: {}, ...values })
  expect(await checkDelivery(db)).toMatchObject({ isRight: true, mend: expect.any(String) })
  await sent({ state: 'done', result: { sentTo: 'outbox' }, finishedAt: new Date() })
  expect(await checkDelivery(db)).toHaveProperty('mend')
  await sent({ state: 'done', result: { sentTo: 'server' }, finishedAt: new Date() })
  expect(await checkDelivery(db)).toEqual({
    subject: 'delivery',
    isRight: true,
    what: 'the last mail was accepted today',
  })
  await sent({ state: 'queued', error: 'The mail server did not take this mail (421).' })
  expect(await checkDelivery(db)).toMatchObject({ isRight: false, what: expect.stringContaining('421') })
})

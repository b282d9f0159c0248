import { expect, test } from 'bun:test'
import { browser, markupOf, memberBrowser, operatorBrowser, testApp } from '#src/testing/app'

const { app } = await testApp()
const operator = await operatorBrowser(app)
const mara = await memberBrowser(app, 'mara@example.com', '10.50.0.1')
const { id } = mara
const html = { accept: 'text/html' }
const open = async (path: string) => markupOf(await operator.call(path, { headers: html }))

test('visitors and members get the login card instead of member pages, and 401 for their forms', async () => {
  for (const who of [browser(app), mara]) {
    for (const path of ['/members', `/members/${id}`]) {
      const page = await markupOf(await who.call(path, { headers: html }))
      expect(page).toContain('Admin Access')
      expect(page).not.toContain('mara@example.com')
    }
    for (const form of ['suspend', 'lift', 'sign-out', 'delete'])
      expect((await who.call(`/members/${id}/${form}`, { form: { reason: 'x', email: 'x' } })).status).toBe(
        401,
      )
  }
  expect((await operator.call('/members/nobody', { headers: html })).status).toBe(404)
})

test('forms without JavaScript find, suspend, reinstate, sign out and delete a member', async () => {
  const found = await open('/members?q=mar')
  for (const words of ['1 member', `href="/members/${id}"`, 'mara@example.com'])
    expect(found).toContain(words)
  expect(await open('/members?q=nobody')).toContain('Nobody here by that name.')
  const post = (form: string, fields: Record<string, string> = {}) =>
    operator.call(`/members/${id}/${form}`, { form: fields, headers: html })
  const steps: [string, Record<string, string>, string][] = [
    ['sign-out', {}, 'Signed out everywhere.'],
    ['suspend', { reason: 'A mix-up' }, 'The member is told: A mix-up'],
    ['lift', {}, 'The suspension is lifted.'],
  ]
  for (const [form, fields, words] of steps) {
    const response = await post(form, fields)
    expect([form, response.status]).toEqual([form, 303])
    expect(await open(response.headers.get('location') ?? '')).toContain(words)
    expect((await open('/members?q=mara')).includes('warn">Suspended<')).toBe(form === 'suspend')
  }
  expect(await mara.json('/api/auth/user')).toBeNull()
  const wrong = await post('delete', { email: 'mira@example.com' })
  expect([wrong.status, (await markupOf(wrong)).includes('This is not the email of this member.')]).toEqual([
    422,
    true,
  ])
  const blank = await post('suspend', { reason: ' ' })
  expect([blank.status, (await markupOf(blank)).includes('Write a reason')]).toEqual([422, true])
  const gone = await post('delete', { email: 'mara@example.com' })
  expect(gone.headers.get('location')).toBe('/members?said=deleted')
  expect(await open('/members?said=deleted')).toContain('The member is deleted.')
})

test('an outcome message is not shown once it is no longer true, as after going back', async () => {
  const { id, jar } = await memberBrowser(app, 'iris@example.com', '10.50.0.2')
  expect(jar.size).toBeGreaterThan(0)
  const post = (form: string, fields: Record<string, string> = {}) =>
    operator.call(`/members/${id}/${form}`, { form: fields, headers: html })
  const told = { suspended: 'Suspended, and signed out everywhere.', lifted: 'The suspension is lifted.' }
  const signedOut = 'Signed out everywhere. Private feeds'
  const say = (said: string) => open(`/members/${id}?said=${said}`)
  expect(await say('suspended')).not.toContain(told.suspended)
  expect(await say('signed-out')).not.toContain(signedOut)
  await post('suspend', { reason: 'A mix-up' })
  expect(await say('suspended')).toContain(told.suspended)
  expect(await say('lifted')).not.toContain(told.lifted)
  expect(await say('signed-out')).toContain(signedOut)
  await post('lift')
  expect(await say('suspended')).not.toContain(told.suspended)
  expect(await say('lifted')).toContain(told.lifted)
  expect(await say('deleted')).not.toContain('The member is deleted.')
})

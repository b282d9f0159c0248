import { beforeAll, describe, expect, test } from 'bun:test'
import { reportsOnItemADay } from '#src/moderation/rules'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const ana = await memberBrowser(app, 'ana@example.com')
const operator = await operatorBrowser(app)
const flow = await publishTestItem(services, { title: 'Warm Hands', type: 'flow' })
const upper = (id: string) => id.toUpperCase()

describe('upper-case id', () => {
  let challenge = ''
  beforeAll(async () => {
    const json = { name: 'One Evening', items: [flow.id], isPublished: true }
    challenge = (await operator.json('/api/challenges', { json })).id
  })

  test('matches its lower-case form in a request body', async () => {
    const json = { challengeId: upper(challenge), timeZone: 'UTC' }
    const answer = await ana.call('/api/user/challenges', { json })
    expect([answer.status, (await answer.json()).id]).toEqual([201, challenge])
  })

  test('matches its lower-case form in a URL', async () => {
    const path = `/api/user/challenges/${upper(challenge)}`
    expect(await ana.json(`${path}/days/1`, { method: 'PUT' })).toMatchObject({ id: challenge, doneDays: 1 })
    const html = await (await ana.call(`/challenge/${upper(challenge)}`)).text()
    expect(html).toContain('You did it.')
  })

  test('counts towards the same rate limit', async () => {
    const visitor = browser(app, '10.9.9.9')
    const report = async (id: string) =>
      (await visitor.call(`/api/stories/${id}/flags`, { json: { flagType: 'spam' } })).status
    for (let n = 0; n < reportsOnItemADay; n += 1) expect(await report(flow.id)).toBe(201)
    expect(await report(upper(flow.id))).toBe(429)
  })
})

test('a password that looks like an id keeps its case', async () => {
  const [email, password] = ['cleo@example.com', upper('019c0000-0000-7000-8000-00000000abcd')]
  const register = await browser(app).call('/api/auth/register', { json: { email, password } })
  expect(register.status).toBe(201)
  const signIn = async (password: string) =>
    (await browser(app).call('/api/auth/login', { json: { email, password } })).status
  expect([await signIn(password), await signIn(password.toLowerCase())]).toEqual([200, 401])
})

import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { guidelineDecisions } from '#db/schema'
import { testModelServer } from '#src/model/testing'
import { moderateSpeech } from '#src/review/admit-speech'
import { memberBrowser, testApp } from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'

const server = testModelServer()
const { app, services } = await testApp({
  OPENAI_BASE_URL: server.url,
  OPENAI_API_KEY: 'sk-canary-canary',
  MODERATION_MODEL: 'omni-moderation-latest',
})
const { db } = services
const ana = await memberBrowser(app, 'ana@example.com')
const draft = { title: 'The Lamp', content: 'She lit it.', categories: ['romantic'] }
const make = (more: object = {}) => ana.call('/api/user/content', { json: { ...draft, ...more } })
const flag = (...names: string[]) => {
  server.state.answer = () =>
    Response.json({
      results: [{ flagged: true, categories: Object.fromEntries(names.map((name) => [name, true])) }],
    })
}
beforeEach(async () => {
  server.received.length = 0
  await db.execute(sql`truncate guideline_decisions`)
})

test('the moderation endpoint receives a member’s text, and a finding of "sexual" alone blocks nothing', async () => {
  flag('sexual')
  const response = await make()
  expect(response.status).toBe(201)
  expect(await response.json()).toMatchObject({ state: 'private' })
  expect(server.received).toMatchObject([
    {
      path: '/v1/moderations',
      authorization: 'Bearer sk-canary-canary',
      body: { model: 'omni-moderation-latest', input: ['The Lamp\n\nShe lit it.'] },
    },
  ])
})

test('a finding about minors rejects the text without giving the reason, and is recorded', async () => {
  flag('sexual', 'sexual/minors')
  const response = await make()
  expect(response.status).toBe(422)
  const { code, message } = await response.json()
  expect(code).toBe('guideline_blocked')
  expect(message).not.toContain('minors')
  expect(await db.select().from(guidelineDecisions)).toMatchObject([
    { ruleId: 'moderation:sexual/minors', decision: 'refused', source: 'create' },
  ])
})

test.each(['self-harm', 'hate', 'violence/graphic'])(
  'a finding of %s holds the text for an operator',
  async (category) => {
    flag(category)
    expect(await (await make({ narrate: true })).json()).toMatchObject({ state: 'held', isGenerating: false })
  },
)

test('the moderation endpoint is asked again on sharing and before narration', async () => {
  flag()
  const { id } = await (await make()).json()
  flag('sexual/minors')
  expect((await ana.call(`/api/user/content/${id}/share`, { method: 'POST', json: {} })).status).toBe(422)
  expect(await rejectionOf(moderateSpeech(services, draft))).toMatchObject({ code: 'guideline_blocked' })
})

test.each<[string, () => Response]>([
  ['an error', () => new Response('sk-canary-canary', { status: 500 })],
  ['a page', () => new Response('<html>')],
  ['another shape', () => Response.json({ results: [{}] })],
])('%s from the moderation endpoint blocks nothing', async (_, answer) => {
  server.state.answer = answer
  expect((await make()).status).toBe(201)
})

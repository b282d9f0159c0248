import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { guidelineDecisions, trainingData } from '#db/schema'
import { AppError } from '#src/app-error'
import { actorOf } from '#src/personal-data/existing-member'
import { memberBrowser, testApp } from '#src/testing/app'
import { draftStory } from './draft'
import { recordOutcome } from './draft-templates'
import { chatAnswer, testModelServer } from './testing'

const server = testModelServer()
const { app, services } = await testApp({ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-canary-canary' })
const bare = await testApp()
const { id } = await memberBrowser(app, 'mara@example.com')
const member = { actor: actorOf(id), role: 'member' } as const
const wish = { prompt: 'Two people and a lamp', categories: ['romantic'] }
const refusal = async (call: Promise<unknown>): Promise<AppError> => {
  const error = await call.then(
    () => null,
    (each) => each,
  )
  if (!(error instanceof AppError)) throw error ?? new Error('It was not refused.')
  return error
}
beforeEach(async () => {
  server.received.length = 0
  server.state.answer = () =>
    chatAnswer(JSON.stringify({ title: 'The Lamp', content: 'She lit it.\r\n\r\nIt burned.' }))
  await services.db.execute(sql`truncate training_data, guideline_decisions cascade`)
})

describe('story draft', () => {
  test('consists of a title and a text written from the prompt', async () => {
    expect(await draftStory(services, wish, member)).toEqual({
      title: 'The Lamp',
      content: 'She lit it.\n\nIt burned.',
      warnings: [],
      templateId: expect.any(String),
    })
    expect(JSON.stringify(server.received[0]?.body)).toContain('Two people and a lamp')
  })

  test('is refused for its prompt before the model is asked, without naming the rule', async () => {
    const error = await refusal(draftStory(services, { ...wish, prompt: 'Something with age play' }, member))
    expect(error.code).toBe('guideline_blocked')
    expect(error.message).toBe(
      'This goes against the content guidelines (content, words 3 to 4). Change that place and try again.',
    )
    expect(server.received).toEqual([])
    expect(await services.db.select().from(guidelineDecisions)).toMatchObject([
      { actor: member.actor, source: 'draft', ruleId: 'built-in:minors', decision: 'refused' },
    ])
  })

  test('is refused for what the model wrote', async () => {
    server.state.answer = () => chatAnswer(JSON.stringify({ title: 'A', content: 'Some age play.' }))
    expect((await refusal(draftStory(services, wish, member))).code).toBe('guideline_blocked')
  })

  test('fails with a clear error for a missing model, a failing model and an empty prompt', async () => {
    expect((await refusal(draftStory(bare.services, wish, member))).code).toBe('not_configured')
    server.state.answer = () => new Response('sk-canary-canary', { status: 500 })
    const away = await refusal(draftStory(services, wish, member))
    expect(away).toMatchObject({ code: 'unavailable', retryAfterSeconds: 60 })
    expect(away.message).not.toContain('sk-')
    server.state.answer = () =>
      new Response('later', { status: 429, headers: { 'retry-after': '99999999999999999999' } })
    expect(await refusal(draftStory(services, wish, member))).toMatchObject({ retryAfterSeconds: 3_600 })
    server.state.answer = () => chatAnswer('', { finish_reason: 'content_filter' })
    expect((await refusal(draftStory(services, wish, member))).message).toContain('declined')
    server.state.answer = () => chatAnswer('{"title": 1}')
    expect((await refusal(draftStory(services, wish, member))).code).toBe('unavailable')
    expect((await refusal(draftStory(services, { ...wish, prompt: ' ' }, member))).code).toBe('invalid')
  })

  test('counts kept, discarded and failed outcomes for its template', async () => {
    const { templateId } = await draftStory(services, wish, member)
    await recordOutcome(services.db, templateId, 'kept')
    await recordOutcome(services.db, templateId, 'kept')
    await recordOutcome(services.db, templateId, 'discarded')
    server.state.answer = () => new Response('', { status: 500 })
    await refusal(draftStory(services, wish, member))
    expect(await services.db.select().from(trainingData)).toMatchObject([
      { id: templateId, successMetrics: { kept: 2, discarded: 1, failed: 1 }, qualityScore: 0.5 },
    ])
  })
})

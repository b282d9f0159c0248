import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { auditLog } from '#db/schema'
import { createLog } from '#src/process/log'
import { browser, memberBrowser, operatorBrowser, testApp } from '#src/testing/app'
import { askModelForJson } from './ask'
import { findModel } from './configuration'
import { chatAnswer, testModelServer } from './testing'

const server = testModelServer()
const other = testModelServer()
const canaryKey = 'sk-canary-5d41402abc4b2a76b9719d911017c592'
const { app, services } = await testApp({
  ALLOW_PRIVATE_MODEL_URLS: `${server.origin}, ${other.origin}`,
})
const { db } = services
const lines: string[] = []
services.log = createLog('debug', (line) => void lines.push(line))
const operator = await operatorBrowser(app)
beforeEach(async () => {
  await db.execute(sql`truncate model_config, audit_log cascade`)
  server.received.length = 0
  other.received.length = 0
  server.state.answer = () => chatAnswer(' The lamp was on. ')
})

const path = '/api/model-config'
const openai = {
  provider: 'openai',
  openaiApiUrl: server.url,
  openaiModelName: 'small',
  openaiApiKey: canaryKey,
}
const save = (json: unknown) => operator.call(path, { json })
const tryOut = (json: unknown) => operator.call(`${path}/test`, { json })

describe('model configuration', () => {
  test('returns defaults before one is saved', async () => {
    expect(await operator.json(path)).toEqual({
      provider: 'openai',
      runpodApiUrl: null,
      runpodModelName: null,
      runpodMaxTokens: 4000,
      runpodTemperature: '0.8',
      runpodUseJson: false,
      hasRunpodApiKey: false,
      runpodApiKeyEnd: null,
      openaiApiUrl: null,
      openaiModelName: null,
      hasOpenaiApiKey: false,
      openaiApiKeyEnd: null,
      isActive: false,
      source: 'none',
      inUse: null,
      updatedAt: null,
    })
  })

  test('is saved, keeps omitted fields, and reveals only the end of a key', async () => {
    expect((await save(openai)).status).toBe(200)
    const response = await save({
      provider: 'openai',
      openaiApiKey: '',
      runpodTemperature: 1.2,
      runpodMaxTokens: 800,
    })
    expect(await response.json()).toMatchObject({
      provider: 'openai',
      openaiApiUrl: server.url,
      openaiModelName: 'small',
      hasOpenaiApiKey: true,
      openaiApiKeyEnd: 'c592',
      runpodTemperature: '1.2',
      runpodMaxTokens: 800,
      source: 'console',
    })
    expect(await findModel(services)).toMatchObject({ apiKey: canaryKey, temperature: 1.2, maxTokens: 800 })
  })

  test.each([
    [{ provider: 'other' }, 'provider'],
    [{ provider: 'openai', runpodMaxTokens: 99 }, 'runpodMaxTokens'],
    [{ provider: 'openai', runpodMaxTokens: 8001 }, 'runpodMaxTokens'],
    [{ provider: 'openai', runpodTemperature: 2.1 }, 'runpodTemperature'],
    [{ provider: 'openai', runpodTemperature: 'warm' }, 'runpodTemperature'],
    [{ provider: 'openai', runpodTemperature: '-1' }, 'runpodTemperature'],
    [{ provider: 'runpod', runpodApiUrl: 'http://api.runpod.ai/v2/a' }, 'runpodApiUrl'],
    [{ provider: 'runpod', runpodApiUrl: 'https://192.168.0.1/v1' }, 'runpodApiUrl'],
    [{ provider: 'openai', openaiApiUrl: 'https://u:p@example.com/v1' }, 'openaiApiUrl'],
  ])('rejects %p', async (draft, field) => {
    const response = await save(draft)
    expect(response.status).toBe(422)
    expect((await response.json()).fields.map((each: { path: string }) => each.path)).toContain(field)
  })

  test('accepts the temperature as text or as a number', async () => {
    for (const [given, saved] of [
      ['0.8', '0.8'],
      [0, '0'],
      [2, '2'],
      ['2.0', '2'],
    ])
      expect(await (await save({ provider: 'openai', runpodTemperature: given })).json()).toMatchObject({
        runpodTemperature: saved,
      })
  })

  test('requires the key again for a new address and never sends the saved key there', async () => {
    await save(openai)
    for (const call of [save, tryOut]) {
      const response = await call({ provider: 'openai', openaiApiUrl: other.url, openaiApiKey: '' })
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ fields: [{ path: 'openaiApiKey' }] })
    }
    expect(other.received).toEqual([])
    expect(
      (await tryOut({ provider: 'openai', openaiApiUrl: other.url, openaiApiKey: 'sk-another-key' })).status,
    ).toBe(200)
    expect(other.received[0]?.authorization).toBe('Bearer sk-another-key')
  })

  test('falls back to the environment, whose key goes to no other address', async () => {
    const environment = await testEnvironment()
    expect(await environment.operator.json(path)).toMatchObject({
      source: 'environment',
      hasOpenaiApiKey: false,
    })
    expect((await environment.operator.call(`${path}/test`, { json: { provider: 'openai' } })).status).toBe(
      200,
    )
    expect(server.received[0]?.authorization).toBe(`Bearer ${canaryKey}`)
    // The environment's key is only for the environment's address.
    await environment.operator.call(`${path}/test`, { json: { provider: 'openai', openaiApiUrl: other.url } })
    expect(other.received[0]?.authorization).not.toContain('canary')
  })

  test('returns 401 to visitors and members', async () => {
    for (const who of [browser(app), await memberBrowser(app, `${crypto.randomUUID()}@example.com`)]) {
      expect((await who.call(path)).status).toBe(401)
      expect((await who.call(path, { json: openai })).status).toBe(401)
      expect((await who.call(`${path}/test`, { json: openai })).status).toBe(401)
    }
    expect(server.received).toEqual([])
  })
})

const environmentApp = await testApp({
  OPENAI_API_KEY: canaryKey,
  OPENAI_BASE_URL: server.url,
  ALLOW_PRIVATE_MODEL_URLS: other.origin,
})
const testEnvironment = async () => ({ operator: await operatorBrowser(environmentApp.app) })

describe('POST /api/model-config/test', () => {
  test('returns a sample sentence and the response time, and saves nothing', async () => {
    const response = await tryOut(openai)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      success: true,
      sampleOutput: 'The lamp was on.',
      responseTimeMs: expect.any(Number),
      tokens: 24,
    })
    expect(server.received).toMatchObject([
      { path: '/v1/chat/completions', authorization: `Bearer ${canaryKey}`, body: { model: 'small' } },
    ])
    expect(await operator.json(path)).toMatchObject({ hasOpenaiApiKey: false })
  })

  test.each([
    [
      'a wrong key',
      () => Response.json({ error: { message: `Incorrect API key: ${canaryKey}` } }, { status: 401 }),
      'key',
      'The key was refused (401)',
    ],
    [
      'no credit',
      () => Response.json({ error: { code: 'insufficient_quota' } }, { status: 429 }),
      'quota',
      'no credit',
    ],
    ['the status 429', () => new Response('slow down', { status: 429 }), 'throttled', 'is busy'],
    ['an unknown model', () => Response.json({ error: {} }, { status: 404 }), 'address', '404'],
    ['a server error', () => new Response('oops', { status: 500 }), 'server', '500'],
    [
      'a web page',
      () => new Response('<html>Hello</html>', { headers: { 'content-type': 'text/html' } }),
      'unreadable',
      'JSON',
    ],
    [
      'broken JSON',
      () => new Response('{"choices":', { headers: { 'content-type': 'application/json' } }),
      'unreadable',
      'JSON',
    ],
    ['an empty answer', () => chatAnswer(''), 'unreadable', 'empty answer'],
    ['a refusal', () => chatAnswer('', { finish_reason: 'content_filter' }), 'refused', 'declined'],
    ['a redirect', () => Response.redirect('http://127.0.0.1:1/'), 'address', 'redirects'],
  ] as const)(
    'returns 422 with the reason and the response time, without the key: %s',
    async (_, answer, reason, words) => {
      server.state.answer = answer
      const response = await tryOut(openai)
      expect(response.status).toBe(422)
      const text = await response.text()
      expect(text).not.toContain(canaryKey)
      expect(JSON.parse(text)).toMatchObject({
        success: false,
        code: 'model_test_failed',
        reason,
        message: expect.stringContaining(words),
        responseTimeMs: expect.any(Number),
        requestId: expect.any(String),
      })
    },
  )

  test('returns not_configured when the provider has no settings', async () => {
    const response = await tryOut({ provider: 'runpod' })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ code: 'not_configured' })
  })
})

describe('RunPod provider', () => {
  const native = { provider: 'runpod', runpodApiKey: canaryKey, runpodModelName: 'mistral' }

  test('calls the OpenAI-compatible route when the address ends in /v1', async () => {
    expect((await tryOut({ ...native, runpodApiUrl: `${server.origin}/v2/abc/openai/v1` })).status).toBe(200)
    expect(server.received[0]).toMatchObject({
      path: '/v2/abc/openai/v1/chat/completions',
      body: { model: 'mistral' },
    })
  })

  test('calls the native API for other addresses and polls a queued job until it completes', async () => {
    const answers = [
      { id: 'job-1', status: 'IN_QUEUE' },
      { id: 'job-1', status: 'COMPLETED', output: [{ choices: [{ tokens: ['The ', 'lamp.'] }] }] },
    ]
    server.state.answer = () => Response.json(answers.shift())
    const response = await tryOut({ ...native, runpodApiUrl: `${server.origin}/v2/abc/runsync` })
    expect(await response.json()).toMatchObject({ success: true, sampleOutput: 'The lamp.' })
    expect(server.received.map((each) => each.path)).toEqual(['/v2/abc/runsync', '/v2/abc/status/job-1'])
    expect(server.received[0]).toMatchObject({
      authorization: `Bearer ${canaryKey}`,
      body: { input: { messages: [{}, {}] } },
    })
  })

  test.each([
    'text',
    ['a', 'b'],
    { text: 'text' },
    { choices: [{ message: { content: 'text' } }] },
    [{ generated_text: 'text' }],
    { output: { response: 'text' } },
  ])('accepts the output %p', async (output) => {
    server.state.answer = () => Response.json({ status: 'COMPLETED', output })
    expect((await tryOut({ ...native, runpodApiUrl: `${server.origin}/v2/abc` })).status).toBe(200)
  })

  test('fails when a job ends without an answer', async () => {
    for (const answer of [
      { status: 'FAILED' },
      { status: 'COMPLETED', output: {} },
      { status: 'IN_QUEUE' },
      {},
    ]) {
      server.state.answer = () => Response.json(answer)
      const response = await tryOut({ ...native, runpodApiUrl: `${server.origin}/v2/abc` })
      expect(await response.json()).toMatchObject({ code: 'model_test_failed' })
    }
  })
})

test('JSON is requested again without a schema when the server rejects the schema', async () => {
  await save(openai)
  const model = await findModel(services)
  if (!model) throw new Error('There is no model.')
  server.state.answer = ({ body }) =>
    'response_format' in body
      ? Response.json({ error: {} }, { status: 400 })
      : chatAnswer('Here: {"a": 1} Done.')
  const question = {
    system: 's',
    prompt: 'p',
    schema: { name: 'a', schema: { type: 'object' } },
    timeoutMs: 5_000,
  }
  expect(await askModelForJson(model, question)).toEqual({ a: 1 })
  expect(server.received.map(({ body }) => 'response_format' in body)).toEqual([true, false])
})

test('API keys never appear in answers, logs, the audit log or in plain text in the database', async () => {
  const answers: string[] = []
  for (const json of [
    openai,
    { provider: 'openai' },
    { ...openai, provider: 'runpod', runpodApiKey: canaryKey, runpodApiUrl: server.url },
  ])
    answers.push(await (await save(json)).text(), await (await tryOut(json)).text())
  server.state.answer = () => new Response(`no: ${canaryKey}`, { status: 500 })
  answers.push(await (await tryOut({ provider: 'openai' })).text(), await (await operator.call(path)).text())
  answers.push(await (await save({ ...openai, openaiApiUrl: `http://${canaryKey}@127.0.0.1/` })).text())
  expect(answers.filter((each) => each.includes(canaryKey))).toEqual([])
  expect(lines.filter((each) => each.includes(canaryKey))).toEqual([])
  expect(JSON.stringify(await db.select().from(auditLog))).not.toContain(canaryKey)
  const tables = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables) {
    const [row] = await db.execute<{ hits: number }>(
      sql`select count(*)::int as hits from ${sql.identifier(name)} as each where each::text like ${`%${canaryKey}%`}`,
    )
    expect([name, row?.hits]).toEqual([name, 0])
  }
})

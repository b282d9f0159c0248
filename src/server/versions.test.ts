import { expect, test } from 'bun:test'
import type { Call } from '#src/testing/app'
import {
  browser,
  memberBrowser,
  operatorBrowser,
  operatorToken,
  publishTestItem,
  testApp,
} from '#src/testing/app'

const { app, services } = await testApp()
const operator = await operatorBrowser(app)
const mara = await memberBrowser(app, 'mara@example.com')
const script = (path: string, { headers, ...call }: Call = {}) =>
  browser(app).call(path, { ...call, headers: { authorization: `Bearer ${operatorToken}`, ...headers } })

/** One of each resource with a version: the call that writes it, and two changes. */
const resources = {
  'an item of the library': {
    as: operator,
    make: ['/api/premium-content', { title: 'The Lamp', content: 'She lit it.' }],
    write: (id: string) => ['PUT', `/api/premium-content/${id}`],
    changes: [{ title: 'The Lantern' }, { title: 'The Candle' }],
  },
  'a challenge': {
    as: operator,
    make: ['/api/challenges', { name: 'Ten Evenings', items: [] }],
    write: (id: string) => ['PUT', `/api/challenges/${id}`],
    changes: [
      { name: 'Nine Evenings', items: [] },
      { name: 'Eight Evenings', items: [] },
    ],
  },
  'a guideline': {
    as: operator,
    make: [
      '/api/content-guidelines',
      { ruleType: 'negative_keywords', keywords: ['gloomful'], severity: 'low' },
    ],
    write: (id: string) => ['PATCH', `/api/content-guidelines/${id}`],
    changes: [{ description: 'One.' }, { description: 'Two.' }],
  },
  'a training example': {
    as: operator,
    make: [
      '/api/training-examples',
      { inputPrompt: 'A ferry at night', expectedOutput: 'The last boat left.' },
    ],
    write: (id: string) => ['PATCH', `/api/training-examples/${id}`],
    changes: [{ qualityRating: 4 }, { qualityRating: 5 }],
  },
  "a member's own item": {
    as: mara,
    make: ['/api/user/content', { title: 'The Pier', content: 'We sat there.', categories: ['romantic'] }],
    write: (id: string) => ['PUT', `/api/user/content/${id}`],
    changes: [{ title: 'The Jetty' }, { title: 'The Quay' }],
  },
} as const

test('writing a missing resource with If-Match returns 404', async () => {
  for (const { as, write, changes } of Object.values(resources))
    for (const id of ['moon-walks', '019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57']) {
      const [method = '', path = ''] = write(id)
      const headers = { 'if-match': '"2026-11-20T20:15:00.000Z"' }
      expect([path, (await as.call(path, { method, json: changes[0], headers })).status]).toEqual([path, 404])
    }
})

test.each(Object.entries(resources))(
  'only one of two concurrent writes to the same version of %s succeeds',
  async (_, each) => {
    const [path, draft] = each.make
    const made = await each.as.call(path, { json: draft })
    expect(made.status).toBe(201)
    const tag = made.headers.get('etag') ?? ''
    const { id, updatedAt } = await made.json()
    expect(tag.startsWith(`"${updatedAt}/`)).toBe(true)

    const [method, address] = each.write(id) as [string, string]
    // If the item can be read by itself, its tag begins with the version too.
    const read = await each.as.call(address)
    if (read.status === 200) expect(read.headers.get('etag')).toStartWith(`"${updatedAt}/`)
    const write = (json: object, seen: string) =>
      each.as.call(address, { method, json, headers: { 'if-match': seen } })
    const answers = await Promise.all(each.changes.map((change) => write(change, tag)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    const refusal = answers.find(({ status }) => status === 412)
    expect(await refusal?.json()).toMatchObject({ code: 'changed_since', success: false })

    const winner = await answers.find(({ status }) => status === 200)?.json()
    expect(winner.updatedAt > updatedAt).toBe(true)
    // The `updatedAt` of a list's entry is accepted. A weak tag, an older one and a text that is no tag are not.
    expect((await write(each.changes[0], `"${updatedAt}", "${winner.updatedAt}"`)).status).toBe(200)
    for (const seen of [tag, `W/${tag}`, 'yesterday'])
      expect((await write(each.changes[1], seen)).status).toBe(412)
    expect((await write(each.changes[1], '*')).status).toBe(200)
  },
)

test('saving the model configuration over an outdated version returns 412', async () => {
  const save = (seen: string, runpodMaxTokens: number) =>
    operator.call('/api/model-config', {
      json: { provider: 'openai', runpodMaxTokens },
      headers: { 'if-match': seen },
    })
  expect((await save('*', 500)).status).toBe(200)
  const read = await operator.call('/api/model-config')
  const tag = read.headers.get('etag') ?? ''
  expect((await save(tag, 600)).status).toBe(200)
  expect((await save(tag, 700)).status).toBe(412)
})

test('If-None-Match returns 304 until the response changes or another caller asks', async () => {
  const { id } = await publishTestItem(services, { title: 'The Ferry' })
  for (const path of ['/api/content', `/api/content/${id}`, '/api/openapi.json']) {
    const first = await script(path)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[^"]+"$/)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const again = await script(path, { headers: { 'if-none-match': `"other", W/${tag}` } })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    expect(again.headers.get('etag')).toBe(tag)
  }
  const read = async (headers = {}) => script(`/api/content/${id}`, { headers })
  const tag = (await read()).headers.get('etag') ?? ''
  await operator.call(`/api/premium-content/${id}`, {
    method: 'PUT',
    json: { description: 'Two strangers.' },
  })
  expect((await read({ 'if-none-match': tag })).status).toBe(200)
  // A visitor reads a preview and a member the whole text, so their tags differ.
  const seen = (await mara.call('/api/content')).headers.get('etag') ?? ''
  const visitor = await browser(app).call('/api/content', { headers: { 'if-none-match': seen } })
  expect([visitor.status, visitor.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
})

test('JSON is compressed, with its own ETag for each encoding', async () => {
  const plain = await script('/api/openapi.json')
  const zipped = await script('/api/openapi.json', { headers: { 'accept-encoding': 'gzip' } })
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(Bun.gunzipSync(await zipped.bytes())).toEqual(await plain.bytes())
  const tag = zipped.headers.get('etag') ?? ''
  expect(tag).not.toBe(plain.headers.get('etag'))
  const again = await script('/api/openapi.json', {
    headers: { 'accept-encoding': 'gzip', 'if-none-match': tag },
  })
  expect([again.status, again.headers.get('content-encoding')]).toEqual([304, null])
})

test('a write without version checks rejects If-Match with 422', async () => {
  const answer = await mara.call('/api/user/settings', {
    method: 'PATCH',
    json: { theme: 'dark' },
    headers: { 'if-match': '"2026-11-20T20:15:00.000Z"' },
  })
  expect(answer.status).toBe(422)
  expect((await answer.json()).fields).toEqual([{ path: 'If-Match', message: 'Not accepted here' }])
})

test('votes do not change an item’s version', async () => {
  const { id } = await publishTestItem(services, { title: 'The Harbour' })
  const before = await script(`/api/premium-content/${id}`)
  expect((await mara.call(`/api/stories/${id}/vote`, { json: { voteType: 'up' } })).status).toBe(200)
  const { updatedAt, source } = await script(`/api/premium-content/${id}`).then((answer) => answer.json())
  expect(`"${updatedAt}`).toBe(before.headers.get('etag')?.split('/')[0] ?? '')
  expect(source).toBe('pre_uploaded')
})

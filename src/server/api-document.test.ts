import { expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv from 'ajv/dist/2020'
import { Elysia } from 'elysia'
import { contentTypes } from '#src/http/route'
import { type ApiDocument, describeApi } from '#src/server/api-document'
import { createRouter } from '#src/server/app'
import { routes } from '#src/server/routes'
import { browser, operatorBrowser, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const operator = await operatorBrowser(app)
const document: ApiDocument = await browser(app).json('/api/openapi.json')

type Media = { schema?: object; example?: unknown }
type Named = { where: string; media: Media }
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    method,
    operation,
  })),
)
const route = (name: string) => routes[name.replace('HEAD', 'GET').replace(/\{(\w+)\}/g, ':$1')]

const schemas = new Ajv({ strict: false, validateFormats: false })
schemas.addSchema(document, 'document')

test('the API document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
  expect(document.openapi).toMatch(/^3\.1\./)
})

test('the API document passes the recommended rules of Redocly', async () => {
  // A production server is never on localhost.
  const served = describeApi(createRouter(services), {
    ...services.env,
    publicUrl: 'https://stories.example',
  })
  const problems = await lintFromString({
    source: JSON.stringify(served),
    absoluteRef: '/openapi.json',
    // Signing in with a provider only redirects; the test of answers below asks for 2xx or 303.
    config: await createConfig({ extends: ['recommended'], rules: { 'operation-2xx-response': 'off' } }),
  })
  const found = problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])
  expect(found).toEqual([])
})

test('the API document lists every /api route and nothing else', () => {
  const calls = Object.keys(routes).filter((name) => name.includes(' /api/') && name !== 'GET /api/docs')
  const described = operations.filter(({ method }) => method !== 'head')
  expect(described.map(({ name }) => name.replace(/\{(\w+)\}/g, ':$1')).sort()).toEqual(calls.sort())
  const heard = operations.filter(({ method }) => method === 'head').map(({ path }) => path)
  expect(heard.toSorted()).toEqual([
    '/api/premium-audio/{id}/{voice}',
    '/api/premium-audio/{id}/{voice}/preview',
    '/api/premium-content/{id}/narrations/{narrationId}/audio',
  ])
})

test('every operation has a unique summary, a unique readable id and one tag', () => {
  const summaries = operations.map(({ operation }) => operation.summary)
  expect(new Set(summaries).size).toBe(operations.length)
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(operations.length)
  const nouns = (document.tags as { name: string }[]).map(({ name }) => name)
  for (const { operation } of operations) {
    expect(operation.summary).toMatch(/^[A-Z].{5,}[^.]$/)
    expect(operation.operationId).toMatch(/^[a-z]+([A-Z][a-z]+){0,5}$/)
    expect(operation.tags).toHaveLength(1)
    expect(nouns).toContain(operation.tags?.[0] ?? '')
  }
  expect(nouns.toSorted()).toEqual(
    [...new Set(operations.flatMap(({ operation }) => operation.tags ?? []))].sort(),
  )
  for (const id of ['listContent', 'getPremiumAudio', 'checkPremiumAudio', 'restorePremiumContent', 'getJob'])
    expect(ids).toContain(id)
})

test('security states each route’s access, with sign-in optional where the response depends on it', () => {
  const operator = ['operator', 'operatorToken']
  for (const { name, operation } of operations) {
    const { access = 'public', isPersonal } = route(name) ?? {}
    const keys = (operation.security ?? []).flatMap((each) => Object.keys(each))
    const expected = { public: isPersonal ? ['member', ...operator] : [], member: ['member'], operator }
    expect(keys).toEqual(expected[access])
    expect((operation.security ?? []).some((each) => Object.keys(each).length === 0)).toBe(
      isPersonal ?? false,
    )
  }
})

test('security schemes have the cookie names of the site’s origin', async () => {
  expect(document.components.securitySchemes).toMatchObject({
    member: { name: 'nocturne_session' },
    operator: { description: expect.stringContaining('`__Host-nocturne_operator`') },
  })
  const secure = describeApi(createRouter(services), { ...services.env, isSecure: true })
  expect(secure.components.securitySchemes).toMatchObject({ member: { name: '__Host-nocturne_session' } })
})

test('every object schema of a request or response is named', () => {
  const shapes = Object.keys(document.components.schemas)
  for (const name of [
    'Item',
    'PremiumItem',
    'Job',
    'Challenge',
    'ListedGuideline',
    'Removal',
    'Done',
    'Error',
  ])
    expect(shapes).toContain(name)
  const nameless = operations.flatMap(({ name, operation }) =>
    [
      operation.requestBody?.content,
      ...Object.values(operation.responses ?? {}).map(({ content }) => content),
    ]
      .flatMap((content) => Object.values(content ?? {}))
      .filter(({ schema }) => schema?.type === 'object' && schema.properties)
      .map(() => name),
  )
  expect(nameless).toEqual([])
})

test('If-Match, Idempotency-Key and response headers are documented where a route uses them', () => {
  for (const { name, operation } of operations) {
    const { isVersioned, isIdempotent, body } = route(name) ?? {}
    // A call that creates has no earlier version to check.
    const isChecked = Boolean(isVersioned && body && !isIdempotent)
    const names = (operation.parameters ?? []).map((each) => each.name)
    expect(names.includes('Idempotency-Key') || !isIdempotent || name).toBe(true)
    expect(`${name} ${names.includes('If-Match')}`).toBe(`${name} ${isChecked}`)
    expect(`${name} ${operation.responses?.[412] !== undefined}`).toBe(`${name} ${isChecked}`)
    for (const [status, { headers }] of Object.entries(operation.responses ?? {})) {
      expect(Object.keys(headers ?? {})).toContain('X-Request-Id')
      if (status === '429' || status === '503') expect(Object.keys(headers ?? {})).toContain('Retry-After')
      if (status === '200' && names.includes('cursor')) expect(Object.keys(headers ?? {})).toContain('Link')
      const isReplayed = Object.keys(headers ?? {}).includes('Idempotency-Replayed')
      expect(`${name} ${status} ${isReplayed}`).toBe(
        `${name} ${status} ${isIdempotent === true && status.startsWith('2')}`,
      )
    }
  }
})

test('every file response states its content types', () => {
  const typesOf = (path: string) => Object.keys(document.paths[path]?.get?.responses?.[200]?.content ?? {})
  expect(typesOf('/api/premium-audio/{id}/{voice}')).toEqual(['audio/mpeg', 'audio/wav', 'audio/mp4'])
  expect(typesOf('/api/user/export')).toEqual(['application/zip'])
  expect(typesOf('/api/audit/export')).toEqual(['text/csv'])
  expect(typesOf('/api/jobs/events')).toEqual(['text/event-stream'])
  // The others without a type redirect, or are this document.
  const untyped = operations.filter(
    ({ method, operation: { responses = {} } }) =>
      method !== 'head' &&
      !responses[303] &&
      Object.entries(responses).some(([status, { content }]) => /^2/.test(status) && !content),
  )
  expect(untyped.map(({ name }) => name)).toEqual(['GET /api/openapi.json'])
})

test('every JSON response has a schema and an example, and every error the schema Error', () => {
  for (const { name, method, operation } of operations) {
    const answers = Object.entries(operation.responses ?? {})
    // A call that only redirects has no other success.
    const successes = answers.filter(([status]) => /^(2|303)/.test(status)).map(([status]) => status)
    expect(successes.length > 0 || name).toBe(true)
    if (/^\/api\/auth\/(google|apple|facebook)/.test(name.split(' ')[1] ?? ''))
      expect([...successes, operation.responses?.[304]]).toEqual(['303', undefined])
    expect(operation.responses?.[422] || name).toBeObject()
    for (const [status, { description, content }] of answers) {
      expect(description).toMatch(/\S/)
      expect(description).not.toMatch(/^Response for status/)
      const media = content?.['application/json']
      if (method === 'head') expect(content).toBeUndefined()
      else if (Number(status) >= 400) expect(media?.schema).toEqual({ $ref: '#/components/schemas/Error' })
      else if (media) expect(media).toEqual({ schema: expect.any(Object), example: expect.anything() })
    }
    if (route(name)?.access !== 'public') expect(operation.responses?.[401]).toBeObject()
  }
})

test('every request body has a content type, a schema and an example', () => {
  for (const { name, operation, method } of operations) {
    const body = route(name)?.body
    if (!operation.requestBody) {
      // Calls without arguments still count as writes: their routes limit a body that they ignore.
      expect(
        body === undefined ||
          method === 'delete' ||
          /logout|undo|enhance|restore|retry|cancel|prioritize|share|days|user\/verify-email|user\/feeds|user\/push\/test|auth\/passkey\/options/.test(
            name,
          ) ||
          name,
      ).toBe(true)
      continue
    }
    const type = contentTypes[body ?? 'json']
    expect(Object.keys(operation.requestBody.content)).toEqual([type])
    expect(operation.requestBody.content[type]).toEqual({
      schema: expect.any(Object),
      example: expect.anything(),
    })
  }
})

test('examples of calls that take one of several choices are accepted by the API', async () => {
  for (const [name, method] of [
    ['/api/premium-content', 'patch'],
    ['/api/held-content', 'patch'],
    ['/api/changes', 'post'],
    ['/api/content-guidelines/preview', 'post'],
  ] as const) {
    const content = document.paths[name]?.[method]?.requestBody?.content
    const json = content?.['application/json']?.example
    const response = await operator.call(name, { method: method.toUpperCase(), json })
    expect(`${name} ${response.status}`).toBe(`${name} 200`)
  }
})

test('every example matches its schema', () => {
  const media: Named[] = operations.flatMap(({ name, operation }) => [
    ...Object.values(operation.requestBody?.content ?? {}).map((each) => ({
      where: `${name} body`,
      media: each,
    })),
    ...Object.entries(operation.responses ?? {}).flatMap(([status, { content }]) =>
      Object.values(content ?? {}).map((each) => ({ where: `${name} ${status}`, media: each })),
    ),
  ])
  const shown = media.filter(({ media: { example } }) => example !== undefined)
  expect(shown.length).toBeGreaterThan(40)
  for (const { where, media } of shown) {
    const fits = schemas.validate(withinDocument(media.schema), media.example)
    expect(fits || `${where}: ${schemas.errorsText()}`).toBe(true)
  }
})

test('every parameter has a primitive type and a description', () => {
  for (const { name, operation } of operations) {
    const parameters = Array.isArray(operation.parameters) ? operation.parameters : []
    for (const parameter of parameters) {
      expect(`${name} ${parameter.name}: ${parameter.description}`).toMatch(/: \S.{7,}/)
      expect(`${name} ${parameter.name}: ${parameter.schema.type}`).toMatch(/: (string|integer)$/)
    }
    const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each)
    expect(parameters.filter((each) => each.in === 'path').map((each) => each.name)).toEqual(inPath)
  }
})

test('the API document contains no keywords of the schema library', () => {
  const keywords = new Set<string>()
  collectKeywords(document.paths, keywords)
  collectKeywords(document.components, keywords)
  for (const ours of [
    '$id',
    'isEmail',
    'error',
    'patternProperties',
    'Kind',
    'Optional',
    'elysiaMeta',
    'config',
  ]) {
    expect([...keywords]).not.toContain(ours)
  }
  expect(JSON.stringify(document)).not.toContain('Expected ')
})

test('the API document has the site’s name and public URL', async () => {
  const other = await testApp({ SITE_NAME: 'Evening', PUBLIC_URL: 'https://evening.example' })
  const request = new Request('https://evening.example/api/openapi.json', {
    headers: { host: 'evening.example' },
  })
  const { info, servers } = await (await other.app.fetch(request)).json()
  expect(info.title).toBe('Evening API')
  expect(servers).toEqual([{ url: 'https://evening.example' }])
})

test('the documentation page loads nothing from other origins', async () => {
  const response = await browser(app).call('/api/docs')
  const html = await response.text()
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(html).toContain('data-document="/api/openapi.json"')
  expect(html).not.toMatch(/https?:\/\//)
  for (const [, code] of html.matchAll(/<script\b[^>]*>([^<]*)<\/script>/g)) expect(code).toBe('')
})

test('describeApi() throws when a listed route is not in the generated document', () => {
  expect(() => describeApi(new Elysia(), services.env)).toThrow('is not in the generated document')
})

/** A schema whose references resolve within the document that the validator loaded. */
function withinDocument(schema: object | undefined): object {
  return JSON.parse(JSON.stringify(schema ?? {}).replaceAll('"$ref":"#/', '"$ref":"document#/'))
}

/** Collects the keys of every object in a position where JSON Schema expects a schema. */
function collectKeywords(value: unknown, keywords: Set<string>, isNames = false): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    if (!isNames && !Array.isArray(value)) keywords.add(key)
    if (key === 'example' || key === 'examples') continue
    collectKeywords(each, keywords, !isNames && key === 'properties')
  }
}

import { expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv from 'ajv/dist/2020'
import { Elysia } from 'elysia'
import { type ApiDocument, describeApi } from '#src/server/api-document'
import { routes } from '#src/server/routes'
import { browser, testApp } from '#src/testing/app'

const { app, services } = await testApp()
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
const route = (name: string) => routes[name.replace(/\{(\w+)\}/g, ':$1')]

const schemas = new Ajv({ strict: false, validateFormats: false })
schemas.addSchema(document, 'document')

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
  expect(document.openapi).toMatch(/^3\.1\./)
})

test('it lists every call of the table of routes and nothing else', () => {
  const calls = Object.keys(routes).filter((name) => name.includes(' /api/') && name !== 'GET /api/docs')
  expect(operations.map(({ name }) => name.replace(/\{(\w+)\}/g, ':$1')).sort()).toEqual(calls.sort())
})

test('every call has a sentence of its own, an id of its own, who may call, and what it is filed under', () => {
  const summaries = operations.map(({ operation }) => operation.summary)
  expect(new Set(summaries).size).toBe(operations.length)
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
  for (const { name, operation } of operations) {
    expect(operation.summary).toMatch(/^[A-Z].{5,}[^.]$/)
    const [access, ...nouns] = operation.tags ?? []
    expect(`${name}: ${access}`).toBe(`${name}: ${route(name)?.access}`)
    expect(nouns).toHaveLength(1)
    expect(['public', 'member']).not.toContain(nouns[0])
  }
})

test('security states the access of the route', () => {
  const keys = { public: [], member: ['member'], operator: ['operator', 'operatorToken'] }
  for (const { name, operation } of operations) {
    const access = route(name)?.access ?? 'public'
    expect((operation.security ?? []).flatMap((each) => Object.keys(each))).toEqual(keys[access])
  }
})

test('every answer that is JSON has a schema and an example, every refusal the shape of Error', () => {
  for (const { name, operation } of operations) {
    const answers = Object.entries(operation.responses ?? {})
    expect(answers.some(([status]) => /^2/.test(status)) || name).toBe(true)
    expect(operation.responses?.[422] || name).toBeObject()
    for (const [status, { description, content }] of answers) {
      expect(description).toMatch(/\S/)
      expect(description).not.toMatch(/^Response for status/)
      const media = content?.['application/json']
      if (Number(status) >= 400) expect(media?.schema).toEqual({ $ref: '#/components/schemas/Error' })
      else if (content) expect(media).toEqual({ schema: expect.any(Object), example: expect.anything() })
    }
    if (route(name)?.access !== 'public') expect(operation.responses?.[401]).toBeObject()
  }
})

test('every call with a body says of which type, and shows one', () => {
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
    const type = body === 'stream' ? 'multipart/form-data' : 'application/json'
    expect(Object.keys(operation.requestBody.content)).toEqual([type])
    expect(operation.requestBody.content[type]).toEqual({
      schema: expect.any(Object),
      example: expect.anything(),
    })
  }
})

test('every example fits its schema', () => {
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

test('every parameter has a plain type', () => {
  for (const { name, operation } of operations) {
    const parameters = Array.isArray(operation.parameters) ? operation.parameters : []
    for (const parameter of parameters) {
      expect(`${name} ${parameter.name}: ${parameter.schema.type}`).toMatch(/: (string|integer)$/)
    }
    const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each)
    expect(parameters.filter((each) => each.in === 'path').map((each) => each.name)).toEqual(inPath)
  }
})

test('nothing of the schema library shows', () => {
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

test('the document names the site and the address that the outside sees', async () => {
  const other = await testApp({ SITE_NAME: 'Evening', PUBLIC_URL: 'https://evening.example' })
  const request = new Request('https://evening.example/api/openapi.json', {
    headers: { host: 'evening.example' },
  })
  const { info, servers } = await (await other.app.fetch(request)).json()
  expect(info.title).toBe('Evening API')
  expect(servers).toEqual([{ url: 'https://evening.example' }])
})

test('its page loads nothing from elsewhere', async () => {
  const response = await browser(app).call('/api/docs')
  const html = await response.text()
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(html).toContain('data-document="/api/openapi.json"')
  expect(html).not.toMatch(/https?:\/\//)
  for (const [, code] of html.matchAll(/<script\b[^>]*>([^<]*)<\/script>/g)) expect(code).toBe('')
})

test('a call that is listed and described nowhere stops the making of the document', () => {
  expect(() => describeApi(new Elysia(), services.env)).toThrow('is not in the generated document')
})

/** A schema whose references resolve within the document that the validator has. */
function withinDocument(schema: object | undefined): object {
  return JSON.parse(JSON.stringify(schema ?? {}).replaceAll('"$ref":"#/', '"$ref":"document#/'))
}

/** The keys of every object that stands where a schema may stand. */
function collectKeywords(value: unknown, keywords: Set<string>, isNames = false): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    if (!isNames && !Array.isArray(value)) keywords.add(key)
    if (key === 'example' || key === 'examples') continue
    collectKeywords(each, keywords, !isNames && key === 'properties')
  }
}

import { toOpenAPISchema } from '@elysiajs/openapi'
import type { AnyElysia } from 'elysia'
import type { Env } from '#src/env'
import type { Access, Route } from '#src/http/route'
import { exampleOf, type JsonSchema } from '#src/server/api-examples'
import { routes } from '#src/server/routes'

type Content = Record<string, { schema?: JsonSchema; example?: unknown }>
type Answers = Record<string, { description: string; content?: Content; headers?: unknown }>
export type Operation = {
  operationId?: string
  parameters?: { name: string; in: string; required?: boolean; schema: JsonSchema }[]
  summary?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  requestBody?: { required?: boolean; content: Content }
  responses?: Answers
  /** The call's own refusals, from `about`. */
  'x-refusals'?: Record<number, string>
  [key: string]: unknown
}
export type ApiDocument = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  [key: string]: unknown
}

/**
 * The OpenAPI 3.1 document: generated from the schemas that validate the calls, then finished with what the
 * table of routes knows (who may call, which bodies are taken) and the errors that follow from it.
 */
export function describeApi(app: AnyElysia, env: Pick<Env, 'siteName' | 'publicUrl'>): ApiDocument {
  const generated = toOpenAPISchema(
    app,
    { methods: ['options'], staticFile: false },
    undefined,
    undefined,
    '3.1.0',
  )
  const paths: ApiDocument['paths'] = {}
  for (const [name, route] of Object.entries(routes)) {
    const [method = '', path = ''] = name.split(' ')
    if (!path.startsWith('/api/') || route.kind !== 'api') continue
    const openPath = path.replace(/:(\w+)/g, '{$1}')
    const operation = generated.paths[openPath]?.[method.toLowerCase() as 'get']
    if (!operation) throw new Error(`${name} is not in the generated document.`)
    paths[openPath] = {
      ...paths[openPath],
      [method.toLowerCase()]: finish(plain<Operation>(operation), route, name),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${env.siteName} API`,
      version: '1',
      description:
        'Every error has the shape of `Error`. Lists carry `X-Total-Count` and `Link: <…>; rel="next"`.',
      license: { name: 'AGPL-3.0-only', identifier: 'AGPL-3.0-only' },
    },
    servers: [{ url: env.publicUrl }],
    tags: [
      { name: 'public', description: 'Anyone may call.' },
      { name: 'member', description: 'Needs a signed-in member.' },
      { name: 'operator', description: "Needs an operator's session or token." },
    ],
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        member: { type: 'apiKey', in: 'cookie', name: 'nocturne_session' },
        operator: { type: 'apiKey', in: 'cookie', name: 'nocturne_operator' },
        operatorToken: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

/** The table of routes' part of a call: its access, and its refusals. */
function finish(described: Operation, route: Route, name: string): Operation {
  const { access, body } = route
  const { 'x-refusals': refusals = {}, ...operation } = described
  return {
    ...operation,
    tags: [access, ...(operation.tags ?? []).filter((tag) => tag !== access)],
    security: securityOf(access),
    ...(operation.requestBody && { requestBody: finishBody(operation.requestBody, body) }),
    responses: {
      ...(name.startsWith('GET ') && {
        304: { description: 'What the asker has (If-None-Match) is still the same' },
      }),
      ...finishAnswers(operation.responses ?? {}, { ...errorsOf(route, name), ...refusals }),
    },
  }
}

function securityOf(access: Access): Operation['security'] {
  if (access === 'public') return []
  return access === 'member' ? [{ member: [] }] : [{ operator: [] }, { operatorToken: [] }]
}

function finishBody(requestBody: NonNullable<Operation['requestBody']>, body: Route['body']) {
  const type = body === 'stream' ? 'multipart/form-data' : 'application/json'
  const [media = {}] = Object.values(requestBody.content)
  return { required: true, content: { [type]: withExample(media) } }
}

/** Answers with their examples; every refusal, the call's own and the general ones, has the shape of `Error`. */
function finishAnswers(own: Answers, refusals: Record<number, string>): Answers {
  const answers: Answers = {}
  for (const [status, { description, content, ...rest }] of Object.entries(own)) {
    const [media] = Object.values(content ?? {})
    answers[status] =
      Number(status) >= 400
        ? errorAnswer(description)
        : {
            ...rest,
            description: isEmptyDescription(description)
              ? status === '201'
                ? 'Created'
                : 'Done'
              : description,
            ...(media && { content: { 'application/json': withExample(media) } }),
          }
  }
  for (const [status, description] of Object.entries(refusals)) answers[status] ??= errorAnswer(description)
  if (!Object.keys(answers).some((status) => status.startsWith('2'))) answers[200] = { description: 'Done' }
  return answers
}

const isEmptyDescription = (description: string) =>
  !description || description.startsWith('Response for status')

/** The possible refusals of every call of its kind. */
function errorsOf({ access, body, isVersioned }: Route, name: string): Record<number, string> {
  const errors: Record<number, string> = {
    422: 'Fields that are not as they should be, each with its problem',
    429: 'Too many calls; Retry-After says when to try again',
    503: 'Away for a moment; Retry-After says when to try again',
  }
  if (access !== 'public') errors[401] = access === 'member' ? 'Nobody is signed in' : 'No operator session'
  if (name.includes(':')) errors[404] = 'There is no such thing'
  if (!body) return errors
  if (isVersioned) errors[412] = 'It was changed since the version that If-Match names'
  return {
    ...errors,
    400: 'The body cannot be read',
    403: 'Sent from another site',
    413: 'The body is too large',
    415: 'The body is of another type',
  }
}

const errorAnswer = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['success', 'error', 'message', 'code', 'requestId'],
  properties: {
    success: { type: 'boolean', const: false },
    error: { type: 'string', description: 'What happened and what to do, as a sentence.' },
    message: { type: 'string', description: 'The same sentence.' },
    code: { type: 'string', examples: ['not_found'] },
    fields: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    requestId: { type: 'string' },
    preview: {
      type: 'object',
      description: 'Of a 409 that asks for `confirm=true`: what the call would do.',
    },
  },
}

function withExample<T extends { schema?: JsonSchema }>(media: T): T & { example: unknown } {
  return { ...media, example: exampleOf(media.schema ?? {}) }
}

/** A schema for publication: the schema library's internal keywords are removed. */
function plain<T>(schema: unknown): T {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (isInternal(key, value) ? undefined : inPlainWords(value))),
  )
}

function isInternal(key: string, value: unknown): boolean {
  return key === '$id' || key === 'isEmail' || (key === 'error' && typeof value === 'string')
}

/** A number in a query is text before it is read, and an open record a pattern: neither helps a reader. */
function inPlainWords(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('anyOf' in value && Array.isArray(value.anyOf)) {
    const { anyOf, ...rest } = value
    const number = anyOf.find((each) => each.type === 'integer' || each.type === 'number')
    if (number && anyOf.some((each) => each.type === 'string' && each.format)) return { ...rest, ...number }
  }
  // A closed list that may be null is written as one that may not.
  if ('enum' in value && Array.isArray(value.enum) && 'type' in value && Array.isArray(value.type))
    return value.type.includes('null') ? { ...value, enum: [...new Set([...value.enum, null])] } : value
  if ('patternProperties' in value && value.patternProperties) {
    const { patternProperties, ...rest } = value
    return { ...rest, additionalProperties: Object.values(patternProperties)[0] }
  }
  return value
}

import { toOpenAPISchema } from '@elysiajs/openapi'
import type { AnyElysia } from 'elysia'
import { exampleOf, type JsonSchema } from '#src/http/api-examples'
import { type Access, routes } from '#src/http/routes'
import type { Env } from '#src/env'

type Content = Record<string, { schema?: JsonSchema; example?: unknown }>
type Operation = {
  summary?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  requestBody?: { required?: boolean; content: Content }
  responses?: Record<string, { description: string; content?: Content; headers?: unknown; $ref?: string }>
  [key: string]: unknown
}
export type ApiDocument = { openapi: string; paths: Record<string, Record<string, Operation>>; [key: string]: unknown }

/**
 * The OpenAPI 3.1 document: generated from the schemas that validate the calls, then finished with what the
 * table of routes knows (who may call, which bodies are taken) and the errors that follow from it.
 */
export function describeApi(app: AnyElysia, env: Pick<Env, 'siteName' | 'publicUrl'>): ApiDocument {
  const generated = toOpenAPISchema(app, { methods: ['options'], staticFile: false }, undefined, undefined, '3.1.0')
  const paths: ApiDocument['paths'] = {}
  for (const [name, route] of Object.entries(routes)) {
    const [method = '', path = ''] = name.split(' ')
    if (!path.startsWith('/api/') || route.kind !== 'api') continue
    const openPath = path.replace(/:(\w+)/g, '{$1}')
    const operation: Operation | undefined = structuredClone(generated.paths[openPath]?.[method.toLowerCase() as 'get'] as unknown as Operation)
    if (!operation) throw new Error(`${name} is not in the generated document.`)
    paths[openPath] = { ...paths[openPath], [method.toLowerCase()]: finish(operation, route.access, route.body, openPath) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${env.siteName} API`,
      version: '1',
      description: 'Every error has the shape of `Error`. Lists carry `X-Total-Count` and `Link: <…>; rel="next"`.',
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
      schemas: { ...plain(generated.components.schemas), Error: errorSchema },
      securitySchemes: {
        member: { type: 'apiKey', in: 'cookie', name: 'nocturne_session' },
        operator: { type: 'apiKey', in: 'cookie', name: 'nocturne_operator' },
        operatorToken: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function finish(operation: Operation, access: Access, body: string | undefined, path: string): Operation {
  const finished: Operation = {
    ...operation,
    operationId: operation.operationId,
    tags: [access, ...(operation.tags ?? []).filter((tag) => tag !== access)],
    security: access === 'public' ? [] : access === 'member' ? [{ member: [] }] : [{ operator: [] }, { operatorToken: [] }],
    responses: { ...operation.responses },
  }
  if (finished.requestBody) {
    const type = body === 'stream' ? 'multipart/form-data' : 'application/json'
    const found = Object.values(finished.requestBody.content)[0]
    finished.requestBody = { required: true, content: { [type]: withExample(found ?? {}) } }
  }
  for (const [status, response] of Object.entries(finished.responses ?? {})) {
    if (response.content) {
      const json = response.content['application/json'] ?? Object.values(response.content)[0]
      if (json) response.content = { 'application/json': withExample(json) }
    }
    response.description ??= status === '201' ? 'Created' : 'Done'
  }
  const isListed = Object.keys(finished.responses ?? {}).some((status) => status.startsWith('2'))
  if (!isListed) finished.responses = { ...finished.responses, 200: { description: 'Done' } }
  for (const [status, description] of errorsOf(access, body, path)) finished.responses = { ...finished.responses, [status]: errorAnswer(description) }
  return plain(finished)
}

function errorsOf(access: Access, body: string | undefined, path: string): [number, string][] {
  const errors: [number, string][] = [[422, 'Fields that are not as they should be, each with its problem']]
  if (access !== 'public') errors.push([401, access === 'member' ? 'Nobody is signed in' : 'No operator session'])
  if (path.includes('{')) errors.push([404, 'There is no such thing'])
  if (body) errors.push([400, 'The body cannot be read'], [403, 'Sent from another site'], [413, 'The body is too large'], [415, 'The body is of another type'])
  errors.push([429, 'Too many calls; Retry-After says when to try again'], [503, 'Away for a moment; Retry-After says when to try again'])
  return errors.sort(([a], [b]) => a - b)
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
      items: { type: 'object', required: ['path', 'message'], properties: { path: { type: 'string' }, message: { type: 'string' } } },
    },
    requestId: { type: 'string' },
  },
}

function withExample<T extends { schema?: JsonSchema }>(media: T): T & { example: unknown } {
  return { ...media, example: exampleOf(media.schema ?? {}) }
}

/** JSON and nothing else: symbols and undefined of the schema library fall away, and its own keywords too. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, each) => (key === 'isEmail' || key === 'error' && typeof each === 'string' && each.startsWith('Expected') ? undefined : each)))
}

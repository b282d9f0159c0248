import { toOpenAPISchema } from '@elysiajs/openapi'
import type { AnyElysia } from 'elysia'
import type { Env } from '#src/env'
import { contentTypes, type NamedRoute } from '#src/http/route'
import { apiNouns } from '#src/request/api-nouns'
import { cookieName, cookieNames } from '#src/request/cookies'
import { routes } from '#src/server/routes'
import {
  type Answers,
  answerHeaders,
  type Content,
  describeAnswers,
  errorSchema,
  withExample,
} from './api-answers'
import type { JsonSchema } from './api-examples'
import { operationIdOf } from './api-operation-ids'
import { describeParameters, type Parameter } from './api-parameters'
import { type Shapes, shapeNamer } from './api-shapes'

export type Operation = {
  operationId?: string
  parameters?: Parameter[]
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  requestBody?: { required?: boolean; content: Content }
  responses?: Answers
  /** The call's own errors, from `about`. */
  'x-refusals'?: Record<number, string>
  [key: string]: unknown
}
type Paths = Record<string, Record<string, Operation>>
export type ApiDocument = {
  openapi: string
  paths: Paths
  components: { schemas: Shapes; [key: string]: unknown }
  [key: string]: unknown
}

/**
 * Builds the OpenAPI 3.1 document. It is generated from the schemas that validate the calls, and completed from the
 * table of routes: who may call, which bodies are accepted, and which errors follow from that. Shapes that nouns export
 * have their names.
 */
export function describeApi(
  app: AnyElysia,
  env: Pick<Env, 'siteName' | 'publicUrl' | 'isSecure'>,
): ApiDocument {
  const { shapes, nameShapes } = shapeNamer(describeAnswersOf)
  const paths = describeCalls(app)
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const id = operation.operationId ?? ''
    const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}`
    const contents = Object.values(operation.responses ?? {}).map(({ content }) => content)
    for (const media of contents.flatMap((content) => Object.values(content ?? {})))
      if (media.schema) media.schema = nameShapes(media.schema, `${name}Answer`)
    for (const media of Object.values(operation.requestBody?.content ?? {}))
      if (media.schema) media.schema = nameShapes(media.schema, `${name}Body`)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${env.siteName} API`,
      version: '1',
      description: conventions,
      contact: { name: env.siteName, url: env.publicUrl },
      license: { name: 'AGPL-3.0-only', identifier: 'AGPL-3.0-only' },
    },
    servers: [{ url: env.publicUrl }],
    tags: Object.entries(apiNouns).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { Error: errorSchema, ...shapes },
      headers: answerHeaders,
      securitySchemes: securitySchemes(env),
    },
  }
}

const conventions = [
  'Every error has the shape of `Error`. Calls without an entry under security are for everybody; where an answer depends on who asks, signing in is an alternative.',
  'Lists that take a `cursor` come in pages: `Link: <…>; rel="next"` has the next one, and `X-Total-Count` says how many there are, except for changes. Other lists are complete.',
  'Each GET answers HEAD with the same status and headers, and no body. JSON has an `ETag`, and 304 for `If-None-Match`; it is compressed by `Accept-Encoding` (zstd, br, gzip).',
].join('\n\n')

/** Describes every call in the table of routes, with its shapes inlined. */
export function describeCalls(app: AnyElysia): Paths {
  const options = { methods: ['options'], staticFile: false }
  const generated = toOpenAPISchema(app, options, undefined, undefined, '3.1.0')
  const paths: Paths = {}
  for (const [name, route] of Object.entries(routes)) {
    const [method = '', path = ''] = name.split(' ')
    if (!path.startsWith('/api/') || route.kind !== 'api') continue
    const openPath = path.replace(/:(\w+)/g, '{$1}')
    const operation = generated.paths[openPath]?.[method.toLowerCase() as 'get']
    if (!operation) throw new Error(`${name} is not in the generated document.`)
    const call = finish(plain<Operation>(operation), { ...route, name })
    paths[openPath] = {
      ...paths[openPath],
      [method.toLowerCase()]: call,
      ...(isAudio(call) && { head: headOf(call) }),
    }
  }
  return paths
}

/** The schemas of the answers of an app's calls, in order. */
function describeAnswersOf(app: AnyElysia): JsonSchema[] {
  const { paths } = plain<{ paths: Paths }>(toOpenAPISchema(app, undefined, undefined, undefined, '3.1.0'))
  return Object.values(paths).map(
    ({ get }) => get?.responses?.[200]?.content?.['application/json']?.schema ?? {},
  )
}

/** Adds to a call what the table of routes says: its access, its headers, and its errors. */
function finish(described: Operation, route: NamedRoute): Operation {
  const { 'x-refusals': refusals = {}, ...operation } = described
  const parameters = describeParameters(operation.parameters ?? [], route)
  const isPaged = parameters.some(({ name }) => name === 'cursor')
  return {
    ...operation,
    operationId: operationIdOf(route.name, operation),
    description: [operation.description, accessWords(route)].filter(Boolean).join('\n\n'),
    ...(parameters.length > 0 && { parameters }),
    security: securityOf(route),
    ...(operation.requestBody && { requestBody: finishBody(operation.requestBody, route) }),
    responses: describeAnswers(route, operation.responses ?? {}, refusals, { isPaged }),
  }
}

function accessWords({ access, isPersonal }: NamedRoute): string {
  if (access !== 'public') return `For ${access}s.`
  return isPersonal ? 'For everybody; the answer depends on who asks.' : 'For everybody.'
}

function isAudio({ responses = {} }: Operation): boolean {
  return responses[206] !== undefined
}

/** The HEAD call by which a player asks whether it may play: the GET call without a body. */
function headOf({ operationId, summary = '', responses = {}, ...call }: Operation): Operation {
  const bare = Object.entries(responses).map(([status, { content: _, ...answer }]) => [status, answer])
  return {
    ...call,
    operationId: operationId?.replace(/^get/, 'check'),
    summary: `Ask whether the caller may ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    responses: Object.fromEntries(bare),
  }
}

function securityOf({ access, isPersonal }: NamedRoute): Operation['security'] {
  const operator: Record<string, string[]>[] = [{ operator: [] }, { operatorToken: [] }]
  if (access === 'operator') return operator
  if (access === 'member') return [{ member: [] }]
  return isPersonal ? [{}, { member: [] }, ...operator] : []
}

function securitySchemes(env: Pick<Env, 'isSecure' | 'publicUrl'>) {
  const cookie = (name: string, who: string) => ({
    type: 'apiKey',
    in: 'cookie',
    name: cookieName(name, env),
    description: `The cookie of ${who}: \`${name}\`, on https \`__Host-${name}\`. A call that is no GET sends \`Origin: ${new URL(env.publicUrl).origin}\` with it.`,
  })
  return {
    member: cookie(cookieNames.member, 'a signed-in member'),
    operator: cookie(cookieNames.operator, "an operator's session"),
    operatorToken: { type: 'http', scheme: 'bearer', description: "The operator's token, for scripts." },
  }
}

function finishBody(requestBody: NonNullable<Operation['requestBody']>, { body = 'json' }: NamedRoute) {
  const [media = {}] = Object.values(requestBody.content)
  return { required: true, content: { [contentTypes[body]]: withExample(media) } }
}

/** A schema for publication, without the schema library's internal keywords. */
function plain<T>(schema: unknown): T {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (isInternal(key, value) ? undefined : inPlainWords(value))),
  )
}

function isInternal(key: string, value: unknown): boolean {
  return key === '$id' || key === 'isEmail' || (key === 'error' && typeof value === 'string')
}

/**
 * Simplifies two forms for readers: a number in a query, which is also described as text, and an open record, which is
 * described by a pattern.
 */
function inPlainWords(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('anyOf' in value && Array.isArray(value.anyOf)) {
    const { anyOf, ...rest } = value
    const number = anyOf.find((each) => each.type === 'integer' || each.type === 'number')
    if (number && anyOf.some((each) => each.type === 'string' && each.format)) return { ...rest, ...number }
  }
  // A nullable enum lists null among its values.
  if ('enum' in value && Array.isArray(value.enum) && 'type' in value && Array.isArray(value.type))
    return value.type.includes('null') ? { ...value, enum: [...new Set([...value.enum, null])] } : value
  if ('patternProperties' in value && value.patternProperties) {
    const { patternProperties, ...rest } = value
    return { ...rest, additionalProperties: Object.values(patternProperties)[0] }
  }
  return value
}

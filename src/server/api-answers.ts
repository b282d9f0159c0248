import { checksVersion, type NamedRoute } from '#src/http/route'
import { exampleOf, type JsonSchema } from './api-examples'

export type Content = Record<string, { schema?: JsonSchema; example?: unknown }>
type Answer = { description: string; content?: Content; headers?: Record<string, object> }
export type Answers = Record<string, Answer>

/**
 * Describes the answers of a call, with their headers and examples. Every error, specific to the call or general, has
 * the shape `Error`. `isPaged`: the list has a cursor.
 */
export function describeAnswers(
  route: NamedRoute,
  own: Answers,
  refusals: Record<number, string>,
  { isPaged }: { isPaged: boolean },
): Answers {
  const answers: Answers = {}
  const isReading = route.name.startsWith('GET ')
  const hasVersion = isReading || route.isVersioned === true
  const traits = { isPaged, hasVersion, isIdempotent: route.isIdempotent === true }
  for (const [status, answer] of Object.entries(own))
    answers[status] =
      Number(status) >= 400 ? errorAnswer(status, answer.description) : successOf(status, answer, traits)
  for (const [status, description] of Object.entries({ ...errorsOf(route), ...refusals }))
    answers[status] ??= errorAnswer(status, description)
  if (!Object.keys(answers).some((status) => /^[23]/.test(status)))
    answers[200] = successOf('200', { description: 'Done' }, traits)
  if (isReading && answers[200])
    answers[304] ??= {
      description: 'The version that the caller has (If-None-Match) is current',
      headers: headersNamed('X-Request-Id', 'ETag'),
    }
  return answers
}

function successOf(
  status: string,
  answer: Answer,
  { isPaged, hasVersion, isIdempotent }: { isPaged: boolean; hasVersion: boolean; isIdempotent: boolean },
): Answer {
  const { description, content, headers } = answer
  const [type = '', media] = Object.entries(content ?? {})[0] ?? []
  const isFile = media?.schema?.format === 'binary'
  const isEmpty = !description || description.startsWith('Response for status')
  return {
    description: isEmpty ? (status === '201' ? 'Created' : 'Done') : description,
    headers: {
      ...headersNamed('X-Request-Id'),
      ...(media && !isFile && hasVersion && headersNamed('ETag')),
      ...(isPaged && headersNamed('X-Total-Count', 'X-Total-Count-Relation', 'Link')),
      ...(isIdempotent && headersNamed('Idempotency-Replayed')),
      ...(status === '206' && headersNamed('Content-Range')),
      ...(status === '303' && headersNamed('Location')),
      ...headers,
    },
    ...(content && (isFile || type === 'text/event-stream' ? { content } : media && jsonContent(media))),
  }
}

const jsonContent = (media: { schema?: JsonSchema }) => ({
  content: { 'application/json': withExample(media) },
})

export function withExample<T extends { schema?: JsonSchema }>(media: T): T & { example: unknown } {
  return { ...media, example: exampleOf(media.schema ?? {}) }
}

/** The errors that every call of this kind may answer with. */
function errorsOf(route: NamedRoute): Record<number, string> {
  const { access, body, isIdempotent, name } = route
  const errors: Record<number, string> = {
    422: 'Invalid fields, each with its problem',
    429: 'Too many calls; Retry-After says when to try again',
    503: 'Away for a moment; Retry-After says when to try again',
  }
  if (access !== 'public') errors[401] = access === 'member' ? 'Nobody is signed in' : 'No operator session'
  if (name.includes(':')) errors[404] = 'There is no such thing'
  if (isIdempotent) errors[409] = 'The first call with this Idempotency-Key is under way'
  if (!body) return errors
  if (checksVersion(route)) errors[412] = 'It was changed since the version that If-Match names'
  return {
    ...errors,
    400: 'The body cannot be read',
    403: 'Sent from another site',
    413: 'The body is too large',
    415: 'The body is of another type',
  }
}

const errorAnswer = (status: string, description: string): Answer => ({
  description,
  headers: headersNamed(
    'X-Request-Id',
    ...(status === '429' || status === '503' ? ['Retry-After' as const] : []),
  ),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

function headersNamed(...names: (keyof typeof answerHeaders)[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const header = (description: string, schema: JsonSchema = { type: 'string' }) => ({ description, schema })

/** The headers of answers, each described only once. */
export const answerHeaders = {
  'X-Request-Id': header("The id by which the server's log has this call."),
  ETag: header('The version of the answer: for If-None-Match, and of a versioned resource for If-Match.'),
  'X-Total-Count': header('How many entries there are, exact to 10,000. Lists of changes have none.', {
    type: 'integer',
  }),
  'X-Total-Count-Relation': header('`gte` where there are more than were counted.'),
  Link: header('`<…>; rel="next"`: the next page, where there is one.'),
  'Idempotency-Replayed': header('`true` if the call was done before, with the same key.'),
  'Content-Range': header('Which bytes of how many.'),
  Location: header('The next address.'),
  'Retry-After': header('After how many seconds to try again.', { type: 'integer' }),
}

export const errorSchema: JsonSchema = {
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
    reason: { type: 'string', description: "Of a model's test that failed: what kind of failure it was." },
    serverSaid: { type: ['string', 'null'], description: "Of a model's test: what its server answered." },
    responseTimeMs: { type: 'integer', description: "Of a model's test: how long it took." },
  },
}

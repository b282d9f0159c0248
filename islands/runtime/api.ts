import { ApiError, UserFacingError } from '#islands/runtime/api-error'
import type { Api } from '#islands/runtime/api-types'
import { pageOwner } from '#islands/runtime/page-owner'
import { randomName } from '#islands/runtime/random-name'
import { pageOwnerHeader } from '#src/member/rules'
import { withQuery } from '#src/urls'

/** A call in the form of the route table: `PUT /api/user/content/:id`. */
export type Call = keyof Api
export type Answer<C extends Call> = Api[C]['answer']

/** The parameters of a call according to the API document, and options for sending it. */
export type Given<C extends Call> = Omit<Api[C], 'answer'> & {
  signal?: AbortSignal
  /**
   * The version that was read: if the server has another one, nothing is overwritten and the call fails with 412.
   */
  ifMatch?: string | null
  /** Whether the request may outlive the page, for the last report of a closing page. */
  keepalive?: boolean
  /** Receives a successful response before its body is read, for its headers. */
  onResponse?: (response: Response) => void
}
/** The input may be omitted if none of it is required. */
export type GivenTo<C extends Call> =
  Partial<Given<C>> extends Given<C> ? [given?: Given<C>] : [given: Given<C>]

/**
 * Calls our API once, with the session's cookie. Returns parsed JSON, null for an empty body, or a Blob for audio and
 * archives. Throws an ApiError for every status but 2xx, and whatever `fetch` throws when there is no response.
 */
export async function api<C extends Call>(call: C, ...[given]: GivenTo<C>): Promise<Answer<C>> {
  return readAnswer(await send(call, given))
}

/**
 * Like `api`, for a call that may create something. A POST that adds to a list carries an Idempotency-Key
 * (docs/behaviour/api.md). If the response is lost and the same call is made again, it carries the same key, so the
 * server does it only once.
 */
export async function apiOnce<C extends Call>(call: C, ...[given]: GivenTo<C>): Promise<Answer<C>> {
  // A call on one item needs no key: making it again later is probably meant to do it again.
  if (!call.startsWith('POST ') || call.includes(':')) return readAnswer(await send(call, given))
  // The key is bound to the history entry: on another page the first call may have been undone, and the same one is
  // new.
  const visit: unknown = 'history' in globalThis ? history.state?.nocturne : null
  const sent = JSON.stringify([visit, given])
  const lost = lostAnswers.get(call)
  const idempotencyKey = lost?.sent === sent ? lost.idempotencyKey : randomName()
  lostAnswers.delete(call)
  let response: Response | undefined
  try {
    response = await send(call, { ...given, idempotencyKey })
    return await readAnswer(response)
  } catch (error) {
    // Our own errors have a code, a proxy's have none. Retry-After is also set while the first call is still running.
    const isOurs = error instanceof ApiError && error.answer.code !== undefined
    if (!isOurs || response?.headers.has('retry-after')) lostAnswers.set(call, { sent, idempotencyKey })
    if (isOurs && error.serverMessage?.includes('Idempotency-Key'))
      throw new UserFacingError(
        'It is not clear yet whether this was saved. Check in a moment, then try again.',
      )
    throw error
  }
}

/** The last call of each kind whose response was lost, so that its outcome is unknown. */
const lostAnswers = new Map<Call, { sent: string; idempotencyKey: string }>()

/** When the last call that may change something was answered, in milliseconds of performance.now(). */
export const lastChangeAt = () => changedAt
let changedAt = 0

/** Records that a call was answered. If the call changed something, data that was read earlier may be stale. */
export function noteAnswered(call: Call): void {
  if (!call.startsWith('GET ')) changedAt = performance.now()
}

type Sent = {
  path?: Record<string, string>
  query?: Parameters<typeof withQuery>[1]
  body?: object
  signal?: AbortSignal
  ifMatch?: string | null
  idempotencyKey?: string
  keepalive?: boolean
  onResponse?: (response: Response) => void
}

async function send(
  call: Call,
  { body, signal, ifMatch, idempotencyKey, keepalive, onResponse, ...address }: Sent = {},
): Promise<Response> {
  const owner = pageOwner()
  const response = await fetch(addressOf(call, address), {
    method: call.split(' ')[0],
    credentials: 'include',
    keepalive,
    signal,
    headers: {
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(ifMatch && { 'if-match': `"${ifMatch}"` }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...(owner && { [pageOwnerHeader]: owner }),
    },
    body: body && JSON.stringify(body),
  })
  noteAnswered(call)
  if (response.ok) onResponse?.(response)
  return response
}

/** Returns the address of a call, with its path parameters and its query. */
export function addressOf(call: Call, { path = {}, query = {} }: Pick<Sent, 'path' | 'query'>): string {
  const pattern = call.slice(call.indexOf('/'))
  return withQuery(
    pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(path[name] ?? '')),
    query,
  )
}

async function readAnswer(response: Response) {
  if (!response.ok) throw new ApiError(response.status, await response.text(), response.statusText)
  const type = response.headers.get('content-type')
  // HTML in place of JSON comes from a proxy or a captive portal. JSON.parse fails on it, as on any broken response.
  if (type && !/^text|json/.test(type)) return response.blob()
  const text = await response.text()
  return text === '' ? null : JSON.parse(text)
}

import { ApiError, UserFacingError } from '#islands/runtime/api-error'
import type { Api } from '#islands/runtime/api-types'
import { pageOwner } from '#islands/runtime/page-owner'
import { randomName } from '#islands/runtime/random-name'
import { pageOwnerHeader } from '#src/member/rules'
import { withQuery } from '#src/urls'

/** A call as the table of routes names it: `PUT /api/user/content/:id`. */
export type Call = keyof Api
export type Answer<C extends Call> = Api[C]['answer']

/** The parameters of a call by the API document, and options for sending it. */
export type Given<C extends Call> = Omit<Api[C], 'answer'> & {
  signal?: AbortSignal
  /** The version that was read: another one is not overwritten, and the call answers 412. */
  seen?: string | null
  /** The call outlives the page: for the last report of a closing page. */
  keepalive?: boolean
  /** Receives a success before its body is read, for its headers. */
  onResponse?: (response: Response) => void
}
/** The input may be omitted where nothing is required. */
export type GivenTo<C extends Call> =
  Partial<Given<C>> extends Given<C> ? [given?: Given<C>] : [given: Given<C>]

/**
 * Calls our API, once and with the session's cookie. Returns its answer: parsed JSON, null for an empty body, a Blob
 * for audio and archives. Throws an ApiError for every status but 2xx, and what `fetch` throws without an answer.
 */
export async function api<C extends Call>(call: C, ...[given]: GivenTo<C>): Promise<Answer<C>> {
  return readAnswer(await send(call, given))
}

/**
 * The same for a call that may create something. What adds to a list has an Idempotency-Key (docs/behaviour/api.md), and
 * the same one again where its answer was lost and it is sent again as it was: it is done once.
 */
export async function apiOnce<C extends Call>(call: C, ...[given]: GivenTo<C>): Promise<Answer<C>> {
  // Done to one item, the same call later on may well be meant to be done anew.
  if (!call.startsWith('POST ') || call.includes(':')) return readAnswer(await send(call, given))
  // On another page what was done may have been undone: the same is meant anew there.
  const visit: unknown = 'history' in globalThis ? history.state?.nocturne : null
  const sent = JSON.stringify([visit, given])
  const lost = lostAnswers.get(call)
  const once = lost?.sent === sent ? lost.once : randomName()
  lostAnswers.delete(call)
  let response: Response | undefined
  try {
    response = await send(call, { ...given, once })
    return await readAnswer(response)
  } catch (error) {
    // An error of ours names a code, one of a proxy none; to be tried later is also what is still under way.
    const isOurs = error instanceof ApiError && error.answer.code !== undefined
    if (!isOurs || response?.headers.has('retry-after')) lostAnswers.set(call, { sent, once })
    if (isOurs && error.said?.includes('Idempotency-Key'))
      throw new UserFacingError('Nobody knows yet whether this was saved. Look in a moment, then try again.')
    throw error
  }
}

/** The last call of each kind whose answer was lost, so that nobody knows whether it was done. */
const lostAnswers = new Map<Call, { sent: string; once: string }>()

/** When the last call that may change something was answered, in milliseconds as performance.now() counts them. */
export const lastChangeAt = () => changedAt
let changedAt = 0

type Sent = {
  path?: Record<string, string>
  query?: Parameters<typeof withQuery>[1]
  body?: object
  signal?: AbortSignal
  seen?: string | null
  once?: string
  keepalive?: boolean
  onResponse?: (response: Response) => void
}

async function send(
  call: Call,
  { body, signal, seen, once, keepalive, onResponse, ...address }: Sent = {},
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
      ...(seen && { 'if-match': `"${seen}"` }),
      ...(once && { 'idempotency-key': once }),
      ...(owner && { [pageOwnerHeader]: owner }),
    },
    body: body && JSON.stringify(body),
  })
  if (!call.startsWith('GET ')) changedAt = performance.now()
  if (response.ok) onResponse?.(response)
  return response
}

/** The address of a call, with its path parameters and its query. */
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
  // A page in place of JSON comes from a proxy or a hotel's network: it fails like any broken answer.
  if (type && !/^text|json/.test(type)) return response.blob()
  const text = await response.text()
  return text === '' ? null : JSON.parse(text)
}

import type { Ledger } from './ledger'
import { tortureToken } from './program'
import type { Random } from './random'

/** The program's responses, as clients saw them. */
export type Tally = {
  requests: number
  answered: number
  /** Requests without a response: refused, cut, or too late. */
  unanswered: number
  /** Responses of 503: temporarily unavailable. */
  unavailable: number
  /** Requests that clients have retried, and why. */
  retried: number
  reasons: Map<string, number>
  /** Retries that got no good response either. */
  failed: number
  /** The longest time between two good responses to any client. */
  longestGapMs: number
  lastGoodAt: number
  /** Responses with any other status of 500 and above. Each is a bug. */
  serverErrors: number
  errors: Map<string, number>
  /** Successful responses to a client without permission. */
  wronglyAllowed: number
}

export function openTally(): Tally {
  return {
    requests: 0,
    answered: 0,
    unanswered: 0,
    unavailable: 0,
    retried: 0,
    reasons: new Map(),
    failed: 0,
    longestGapMs: 0,
    lastGoodAt: performance.now(),
    serverErrors: 0,
    errors: new Map(),
    wronglyAllowed: 0,
  }
}

export type Call = {
  /** A token to send instead of the operator's. */
  bearer?: string
  method?: string
  json?: unknown
  form?: FormData
  cookie?: string
  isOperator?: boolean
  /** The Range header of a file: `bytes=0-1023`. */
  range?: string
}
export type Answer = {
  status: number
  body: unknown
  cookies: string
  retryAfterMs: number
  /** The status and its origin: "503 of the program". */
  reason: string
}

/** A client with an address of its own, so that rate limits do not affect others. */
export type Person = { call(path: string, call?: Call): Promise<Answer | null>; random: Random }

/** Shared by all clients: the items to listen to, and those of them that have audio. */
export type Shared = { items: string[]; heard: string[] }
/** Creates a client of some kind. Returns its next act, which is called repeatedly. */
export type Begin = (person: Person, ledger: Ledger, shared: Shared) => () => Promise<void>

export type ClientOptions = {
  origin: () => string
  tally: Tally
  /** Whether a call without a good response is retried. `once` sends the same Idempotency-Key again. */
  retry?: 'never' | 'once'
}

const answerMs = 20_000
const pauseMs = 250

export function personAt({ origin, tally, retry = 'never' }: ClientOptions, random: Random): Person {
  const address = `10.${random.whole(0, 255)}.${random.whole(0, 255)}.${random.whole(1, 254)}`
  return {
    random,
    async call(path, call = {}) {
      const headers = {
        'x-forwarded-for': address,
        ...(retry === 'once' && call.json !== undefined && { 'idempotency-key': hexOf(random, 32) }),
      }
      const request = () => fetch(origin() + path, { ...requestOf(call, headers) }).catch(() => null)
      const answer = await count(tally, path, await request())
      if (retry === 'never' || isGood(answer)) return answer
      tally.retried += 1
      const reason = answer?.reason ?? 'no answer'
      tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1)
      await Bun.sleep(answer?.retryAfterMs || pauseMs)
      const again = await count(tally, path, await request())
      if (!isGood(again)) tally.failed += 1
      return again
    },
  }
}

function requestOf(
  { method, json, form, cookie, isOperator, bearer, range }: Call,
  headers: Record<string, string>,
) {
  return {
    method: method ?? (json === undefined && form === undefined ? 'GET' : 'POST'),
    headers: {
      ...headers,
      'sec-fetch-site': 'same-origin',
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(cookie && { cookie }),
      ...(isOperator && { authorization: `Bearer ${tortureToken}` }),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(range && { range }),
    },
    body: json === undefined ? form : JSON.stringify(json),
    signal: AbortSignal.timeout(answerMs),
  }
}

async function count(tally: Tally, path: string, response: Response | null): Promise<Answer | null> {
  tally.requests += 1
  const text = await response?.text().catch(() => null)
  if (!response || typeof text !== 'string' || isOfProxy(response)) {
    tally.unanswered += 1
    return null
  }
  tally.answered += 1
  if (response.status === 503) tally.unavailable += 1
  else if (response.status >= 500) {
    tally.serverErrors += 1
    const what = `${response.status} ${path.replace(/[0-9a-f-]{36}/g, ':id')}`
    tally.errors.set(what, (tally.errors.get(what) ?? 0) + 1)
  } else noteGood(tally)
  const cookies = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1_000
  const reason = `${response.status} of the ${response.headers.has('x-request-id') ? 'program' : 'proxy'}`
  return { status: response.status, body: parsed(text), cookies, retryAfterMs, reason }
}

/** Whether a response is a proxy's, because an instance has ended midway. The program's own responses have an id. */
function isOfProxy({ status, headers }: Response): boolean {
  return (status === 502 || status === 504) && !headers.has('x-request-id')
}

function noteGood(tally: Tally): void {
  const now = performance.now()
  tally.longestGapMs = Math.max(tally.longestGapMs, now - tally.lastGoodAt)
  tally.lastGoodAt = now
}

function isGood(answer: Answer | null): boolean {
  return answer !== null && answer.status < 500
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const idOf = (answer: Answer | null): string => String(Object(answer?.body).id ?? '')
export const isDone = (answer: Answer | null): answer is Answer & { status: 200 | 201 } =>
  answer?.status === 200 || answer?.status === 201

export function hexOf(random: Random, length: number): string {
  return Array.from({ length }, () => random.whole(0, 15).toString(16)).join('')
}

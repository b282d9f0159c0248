import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { rejectionOf } from '#src/testing/rejection'
import { addressOf, api, apiOnce } from './api'
import { ApiError, problemOf, UserFacingError } from './api-error'

let answer = () => Response.json({})
const asked: { method: string; path: string; type: string | null; body: string }[] = []
const keys: (string | null)[] = []
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    const type = request.headers.get('content-type')
    asked.push({ method: request.method, path: pathname + search, type, body: await request.text() })
    keys.push(request.headers.get('idempotency-key'))
    return answer()
  },
})

// In a page, addresses are resolved against its site; here there is none.
const { fetch } = globalThis
globalThis.fetch = Object.assign(
  (path: string | URL | Request, init?: RequestInit) => fetch(new URL(String(path), server.url), init),
  { preconnect: fetch.preconnect },
)
afterAll(async () => {
  globalThis.fetch = fetch
  await server.stop(true)
})
beforeEach(() => {
  asked.length = 0
  keys.length = 0
})

const id = '019c2f6e'

describe('api()', () => {
  test('calls the operation’s path with a JSON body', async () => {
    answer = () => Response.json({ voteType: 'up', upvotes: 1, downvotes: 0 })
    const sums = await api('POST /api/stories/:id/vote', { path: { id }, body: { voteType: 'up' } })
    expect(sums.upvotes).toBe(1)
    expect(asked).toEqual([
      {
        method: 'POST',
        path: `/api/stories/${id}/vote`,
        type: 'application/json',
        body: '{"voteType":"up"}',
      },
    ])
  })

  test('sends no Content-Type without a body', async () => {
    answer = () => Response.json([])
    await api('GET /api/held-content', { query: { ruleId: 'a rule', cursor: undefined } })
    expect(asked).toEqual([{ method: 'GET', path: '/api/held-content?ruleId=a+rule', type: null, body: '' }])
  })

  test('percent-encodes path parameters', () => {
    const path = { contentKey: 'own/story 1' }
    expect(addressOf('DELETE /api/content-favorites/:contentKey', { path })).toBe(
      '/api/content-favorites/own%2Fstory%201',
    )
  })

  test('returns null for an empty response and a Blob for one that is not JSON', async () => {
    answer = () => new Response(null, { status: 200 })
    expect(await api('GET /api/auth/user')).toBeNull()
    answer = () => new Response('RIFF', { headers: { 'content-type': 'audio/mpeg' } })
    const audio = await api('POST /api/test-audio', { body: { text: 'Below them' } })
    expect(await audio.text()).toBe('RIFF')
  })

  test('throws when the server answers HTML instead of JSON', async () => {
    answer = () => new Response('<h1>Welcome to the hotel</h1>', { headers: { 'content-type': 'text/html' } })
    expect(await rejectionOf(api('GET /api/user/settings'))).toBeInstanceOf(SyntaxError)
  })

  test('rejects unknown operations, missing parameters and invalid bodies at compile time', () => {
    const calls = () => [
      // @ts-expect-error There is no such call.
      api('GET /api/user/evenings'),
      // @ts-expect-error The path needs the item's id.
      api('POST /api/stories/:id/vote', { body: { voteType: 'up' } }),
      // @ts-expect-error A vote is up, down or none.
      api('POST /api/stories/:id/vote', { path: { id }, body: { voteType: 'sideways' } }),
    ]
    expect(calls).toBeFunction()
  })

  test('passes the headers of a successful response to onResponse', async () => {
    answer = () => Response.json([], { headers: { 'x-total-count': '12' } })
    let total: string | null = null
    await api('GET /api/held-content', {
      onResponse({ headers }) {
        total = headers.get('x-total-count')
      },
    })
    expect(String(total)).toBe('12')
  })

  test('throws an ApiError with the status, the body and the server’s message', async () => {
    answer = () => Response.json({ success: false, message: 'Sign in first.' }, { status: 401 })
    const error = await api('GET /api/user/settings').catch((thrown: unknown) => thrown)
    if (!(error instanceof ApiError)) throw new Error('It should have been refused.')
    expect(error.message).toBe('401: {"success":false,"message":"Sign in first."}')
    expect(error.status).toBe(401)
    expect(error.serverMessage).toBe('Sign in first.')
  })

  test('throws the status text when the body is empty', async () => {
    answer = () => new Response(null, { status: 503, statusText: 'Service Unavailable' })
    expect((await rejectionOf(api('GET /api/user/settings'))).message).toContain('503: Service Unavailable')
  })
})

describe('apiOnce()', () => {
  const add = (title: string) =>
    apiOnce('POST /api/user/content', { body: { title, content: 'Halves.', categories: ['gay'] } }).catch(
      () => null,
    )
  const isSame = (count: number) => new Set(keys.slice(-count)).size === 1

  test('resends the same Idempotency-Key after a 502 or a 409 with Retry-After', async () => {
    answer = () => new Response('<h1>502 Bad Gateway</h1>', { status: 502 })
    await add('The Orchard')
    answer = () =>
      Response.json(
        { code: 'conflict', message: 'Under way.' },
        { status: 409, headers: { 'retry-after': '1' } },
      )
    await add('The Orchard')
    answer = () => Response.json({ id })
    await add('The Orchard')
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(isSame(3)).toBe(true)
  })

  test('sends a new Idempotency-Key after an answer, or when the body has changed', async () => {
    answer = () => Response.json({ id })
    await add('The Orchard')
    answer = () => Response.json({ code: 'internal', message: 'It is noted.' }, { status: 500 })
    await add('The Orchard')
    answer = () => new Response('<h1>502 Bad Gateway</h1>', { status: 502 })
    await add('The Orchard')
    await add('Halves')
    expect(new Set(keys).size).toBe(4)
  })

  test('sends an Idempotency-Key without a body too', async () => {
    answer = () => Response.json({ success: true, message: '' })
    await apiOnce('POST /api/demo/restore')
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  })

  test('sends no Idempotency-Key with a GET or a call on a single item', async () => {
    answer = () => Response.json({})
    await apiOnce('GET /api/user/settings')
    await apiOnce('POST /api/stories/:id/vote', { path: { id }, body: { voteType: 'up' } })
    expect(keys).toEqual([null, null])
  })
})

describe('problemOf()', () => {
  const refusal = (status: number, body: object) => new ApiError(status, JSON.stringify(body), '')

  test('returns the server’s message and its field', () => {
    const fields = [{ path: 'title', message: 'Write one' }]
    const error = refusal(422, { message: 'The title is missing.', fields })
    expect(problemOf(error)).toEqual({ field: 'title', message: 'The title is missing.' })
  })

  test('returns a default message when the server sent none or did not answer', () => {
    expect(problemOf(refusal(500, {})).message).toBe('This did not work. Please try again.')
    expect(problemOf(new TypeError()).message).toBe('The server did not answer. Please try again.')
    expect(problemOf(new TypeError(), 'Edit failed').message).toBe('Edit failed')
    expect(problemOf(new UserFacingError('No passkey was created.')).message).toBe('No passkey was created.')
  })

  test('returns a session-expired message for operator_required', () => {
    const error = refusal(401, { code: 'operator_required', message: 'Sign in with the admin token.' })
    expect(problemOf(error, 'Please try again').message).toBe(
      'Unauthorized: Admin session required. Please refresh and try again.',
    )
  })
})

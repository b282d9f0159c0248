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

describe('a call of the API', () => {
  test('goes to its address and sends JSON', async () => {
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

  test('without a body says nothing of a type', async () => {
    answer = () => Response.json([])
    await api('GET /api/held-content', { query: { ruleId: 'a rule', cursor: undefined } })
    expect(asked).toEqual([{ method: 'GET', path: '/api/held-content?ruleId=a+rule', type: null, body: '' }])
  })

  test('writes what stands in a path so that it stays one part of it', () => {
    const path = { contentKey: 'own/story 1' }
    expect(addressOf('DELETE /api/content-favorites/:contentKey', { path })).toBe(
      '/api/content-favorites/own%2Fstory%201',
    )
  })

  test('gives null for an empty answer and a Blob for what is no JSON', async () => {
    answer = () => new Response(null, { status: 200 })
    expect(await api('GET /api/auth/user')).toBeNull()
    answer = () => new Response('RIFF', { headers: { 'content-type': 'audio/mpeg' } })
    const audio = await api('POST /api/test-audio', { body: { text: 'Below them' } })
    expect(await audio.text()).toBe('RIFF')
  })

  test('fails where a page stands in place of JSON', async () => {
    answer = () => new Response('<h1>Welcome to the hotel</h1>', { headers: { 'content-type': 'text/html' } })
    expect(await rejectionOf(api('GET /api/user/settings'))).toBeInstanceOf(SyntaxError)
  })

  test('is compiled only as the API document has it', () => {
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

  test('shows the headers of a success', async () => {
    answer = () => Response.json([], { headers: { 'x-total-count': '12' } })
    let total: string | null = null
    await api('GET /api/held-content', {
      onResponse({ headers }) {
        total = headers.get('x-total-count')
      },
    })
    expect(String(total)).toBe('12')
  })

  test('throws the status and the body, and carries what the server said', async () => {
    answer = () => Response.json({ success: false, message: 'Sign in first.' }, { status: 401 })
    const error = await api('GET /api/user/settings').catch((thrown: unknown) => thrown)
    if (!(error instanceof ApiError)) throw new Error('It should have been refused.')
    expect(error.message).toBe('401: {"success":false,"message":"Sign in first."}')
    expect(error.status).toBe(401)
    expect(error.serverMessage).toBe('Sign in first.')
  })

  test('throws the status and its text where the body is empty', async () => {
    answer = () => new Response(null, { status: 503, statusText: 'Service Unavailable' })
    expect((await rejectionOf(api('GET /api/user/settings'))).message).toContain('503: Service Unavailable')
  })
})

describe('what adds to a list', () => {
  const add = (title: string) =>
    apiOnce('POST /api/user/content', { body: { title, content: 'Halves.', categories: ['gay'] } }).catch(
      () => null,
    )
  const isSame = (count: number) => new Set(keys.slice(-count)).size === 1

  test('is done once where it is sent again after its answer was lost', async () => {
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

  test('is done anew after an answer, and where it was changed', async () => {
    answer = () => Response.json({ id })
    await add('The Orchard')
    answer = () => Response.json({ code: 'internal', message: 'It is noted.' }, { status: 500 })
    await add('The Orchard')
    answer = () => new Response('<h1>502 Bad Gateway</h1>', { status: 502 })
    await add('The Orchard')
    await add('Halves')
    expect(new Set(keys).size).toBe(4)
  })

  test('has a key without a body too', async () => {
    answer = () => Response.json({ success: true, message: '' })
    await apiOnce('POST /api/demo/restore')
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  })

  test('is alone in having a key', async () => {
    answer = () => Response.json({})
    await apiOnce('GET /api/user/settings')
    await apiOnce('POST /api/stories/:id/vote', { path: { id }, body: { voteType: 'up' } })
    expect(keys).toEqual([null, null])
  })
})

describe('the message of a failure', () => {
  const refusal = (status: number, body: object) => new ApiError(status, JSON.stringify(body), '')

  test('is the sentence of the server, with the field that it is about', () => {
    const fields = [{ path: 'title', message: 'Write one' }]
    const error = refusal(422, { message: 'The title is missing.', fields })
    expect(problemOf(error)).toEqual({ field: 'title', message: 'The title is missing.' })
  })

  test('is our own where the server has none, or nothing answered', () => {
    expect(problemOf(refusal(500, {})).message).toBe('This did not work. Please try again.')
    expect(problemOf(new TypeError()).message).toBe('The server did not answer. Please try again.')
    expect(problemOf(new TypeError(), 'Edit failed').message).toBe('Edit failed')
    expect(problemOf(new UserFacingError('No passkey was created.')).message).toBe('No passkey was created.')
  })

  test('is that the session is over, where an operator has none any longer', () => {
    const error = refusal(401, { code: 'operator_required', message: 'Sign in with the admin token.' })
    expect(problemOf(error, 'Please try again').message).toBe(
      'Unauthorized: Admin session required. Please refresh and try again.',
    )
  })
})

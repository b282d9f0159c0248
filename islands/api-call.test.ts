import { afterAll, describe, expect, test } from 'bun:test'
import { ApiError, apiCall } from './api-call'

const server = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/echo') {
      return Response.json({
        method: request.method,
        type: request.headers.get('content-type'),
        body: await request.text(),
      })
    }
    if (pathname === '/empty') return new Response(null, { status: 200 })
    if (pathname === '/refused')
      return Response.json({ success: false, message: 'Sign in first.' }, { status: 401 })
    return new Response(null, { status: 503, statusText: 'Service Unavailable' })
  },
})
afterAll(() => server.stop(true))
const at = (path: string) => new URL(path, server.url).href

describe('a call of the API', () => {
  test('sends JSON and gives JSON', async () => {
    expect(await apiCall(at('/echo'))).toEqual({ method: 'GET', type: null, body: '' })
    expect(await apiCall(at('/echo'), { method: 'POST', body: { a: 1 } })).toEqual({
      method: 'POST',
      type: 'application/json',
      body: '{"a":1}',
    })
  })

  test('gives null for an empty answer', async () => {
    expect(await apiCall(at('/empty'))).toBeNull()
  })

  test('throws the status and the body, and carries what the server said', async () => {
    const error = await apiCall(at('/refused')).catch((thrown: unknown) => thrown)
    if (!(error instanceof ApiError)) throw new Error('It should have been refused.')
    expect(error.message).toBe('401: {"success":false,"message":"Sign in first."}')
    expect(error.status).toBe(401)
    expect(error.said).toBe('Sign in first.')
  })

  test('throws the status and its text where the body is empty', async () => {
    expect(apiCall(at('/away'))).rejects.toThrow('503: Service Unavailable')
  })
})

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { guardedFetch, type HttpClientError } from './guarded-fetch'

const hits: string[] = []
/** Stands in for a service of the internal network that outsiders must not reach. */
const canary: Bun.Server<undefined> = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request): Promise<Response> {
    const { pathname } = new URL(request.url)
    hits.push(pathname)
    if (pathname === '/redirect') return Response.redirect('/secret')
    if (pathname === '/large') return new Response('x'.repeat(100_000))
    if (pathname === '/hangs') await new Promise(() => {})
    return Response.json({ body: await request.text(), host: request.headers.get('host') })
  },
})
afterAll(() => canary.stop(true))
beforeEach(() => {
  hits.length = 0
})
const own = `http://127.0.0.1:${canary.port}`

const failure = (call: Promise<unknown>): Promise<HttpClientError> =>
  call.then(
    () => Promise.reject(new Error('It was answered.')),
    (error) => error,
  )
const guarded = (more: Partial<Parameters<typeof guardedFetch>[0]> = {}) =>
  guardedFetch({ trustedOrigins: [], timeoutMs: 120_000, connectMs: 120_000, ...more })
/** For calls that nobody answers. Others have the time that a busy machine needs. */
const impatient = { connectMs: 200 }

describe('request to a user-supplied address', () => {
  test.each(['127.0.0.1', '::1', '10.0.0.8', '169.254.169.254', '::ffff:127.0.0.1'])(
    'rejects a name that resolves to %p',
    async (address) => {
      const fetch = guarded({ resolve: async () => [address] })
      const error = await failure(fetch(`https://looks-fine.example.com:${canary.port}/secret`))
      expect(error.reason).toBe('address')
      expect(hits).toEqual([])
    },
  )

  test('rejects a name when one of its addresses is private', async () => {
    const fetch = guarded({ resolve: async () => ['93.184.216.34', '127.0.0.1'] })
    expect((await failure(fetch(`https://both.example.com:${canary.port}/`))).reason).toBe('address')
    expect(hits).toEqual([])
  })

  test('connects to the checked address even if DNS answers differently afterwards', async () => {
    let lookups = 0
    const rebinding = async () => {
      lookups += 1
      return [lookups === 1 ? '192.0.2.1' : '127.0.0.1']
    }
    // 192.0.2.1 stands in for a public address without a server. The origin is trusted, so the address is not refused.
    const origin = `http://rebinds.example.com:${canary.port}`
    const fetch = guarded({ resolve: rebinding, trustedOrigins: [origin], ...impatient })
    const error = await failure(fetch(`${origin}/secret`))
    expect(['timeout', 'network']).toContain(error.reason)
    expect(lookups).toBe(1)
    expect(hits).toEqual([])
  })

  test('times out when the name server is silent', async () => {
    const fetch = guarded({ resolve: () => new Promise(() => {}), ...impatient })
    const error = await failure(fetch('https://silent.example.com/'))
    expect([error.reason, error.message]).toEqual([
      'timeout',
      'No name server answers for silent.example.com.',
    ])
  })

  test('ignores HTTP_PROXY', async () => {
    process.env.HTTP_PROXY = own
    try {
      const origin = 'http://proxied.example.com:9'
      const fetch = guarded({ resolve: async () => ['192.0.2.1'], trustedOrigins: [origin], ...impatient })
      await failure(fetch(`${origin}/secret`))
    } finally {
      delete process.env.HTTP_PROXY
    }
    expect(hits).toEqual([])
  })

  test('does not follow redirects', async () => {
    const fetch = guarded({ trustedOrigins: [own] })
    expect((await failure(fetch(`${own}/redirect`))).reason).toBe('redirect')
    expect(hits).toEqual(['/redirect'])
  })

  test.each(['http://127.0.0.1/', 'file:///etc/hostname', 'data:text/plain,a', 'https://u:p@example.com/'])(
    'rejects %p',
    async (url) => {
      expect((await failure(guarded()(url))).reason).toBe('address')
    },
  )
})

describe('request to a trusted address', () => {
  const fetch = guarded({ trustedOrigins: [own] })

  test('sends its body and returns the response', async () => {
    const response = await fetch(`${own}/echo`, { method: 'POST', body: 'hello' })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ body: 'hello', host: `127.0.0.1:${canary.port}` })
  })

  test('fails at its size limit, at its timeout and when aborted', async () => {
    expect((await failure(guarded({ trustedOrigins: [own], bytesMax: 99_999 })(`${own}/large`))).reason).toBe(
      'too_large',
    )
    expect((await failure(guarded({ trustedOrigins: [own], timeoutMs: 50 })(`${own}/hangs`))).reason).toBe(
      'timeout',
    )
    const cancel = new AbortController()
    const call = failure(fetch(`${own}/hangs`, { signal: cancel.signal }))
    cancel.abort(new Error('enough'))
    expect((await call).message).toBe('enough')
  })

  test('fails with a network error when nothing listens', async () => {
    const nobody = 'http://127.0.0.1:1'
    expect((await failure(guarded({ trustedOrigins: [nobody] })(nobody))).reason).toBe('network')
  })
})

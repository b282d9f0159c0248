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
  guardedFetch({ trustedOrigins: [], timeoutMs: 5_000, connectMs: 200, ...more })

describe('a call to an address that somebody typed', () => {
  test.each(['127.0.0.1', '::1', '10.0.0.8', '169.254.169.254', '::ffff:127.0.0.1'])(
    'never goes to a name that stands for %p',
    async (address) => {
      const fetch = guarded({ resolve: async () => [address] })
      const error = await failure(fetch(`https://looks-fine.example.com:${canary.port}/secret`))
      expect(error.reason).toBe('address')
      expect(hits).toEqual([])
    },
  )

  test('never goes to a name of which one address is private', async () => {
    const fetch = guarded({ resolve: async () => ['93.184.216.34', '127.0.0.1'] })
    expect((await failure(fetch(`https://both.example.com:${canary.port}/`))).reason).toBe('address')
    expect(hits).toEqual([])
  })

  test('goes to the address that was checked, whatever the name says a moment later', async () => {
    let lookups = 0
    const rebinding = async () => {
      lookups += 1
      return [lookups === 1 ? '192.0.2.1' : '127.0.0.1']
    }
    // 192.0.2.1 stands in for a public address without a server. The origin is trusted, so the address is not refused.
    const origin = `http://rebinds.example.com:${canary.port}`
    const fetch = guarded({ resolve: rebinding, trustedOrigins: [origin] })
    const error = await failure(fetch(`${origin}/secret`))
    expect(['timeout', 'network']).toContain(error.reason)
    expect(lookups).toBe(1)
    expect(hits).toEqual([])
  })

  test('waits for a silent name server no longer than for a connection', async () => {
    const fetch = guarded({ resolve: () => new Promise(() => {}) })
    const error = await failure(fetch('https://silent.example.com/'))
    expect([error.reason, error.message]).toEqual([
      'timeout',
      'No name server answers for silent.example.com.',
    ])
  })

  test('never leaves by a proxy of the environment', async () => {
    process.env.HTTP_PROXY = own
    try {
      const origin = 'http://proxied.example.com:9'
      const fetch = guarded({ resolve: async () => ['192.0.2.1'], trustedOrigins: [origin] })
      await failure(fetch(`${origin}/secret`))
    } finally {
      delete process.env.HTTP_PROXY
    }
    expect(hits).toEqual([])
  })

  test('does not follow where a server sends it', async () => {
    const fetch = guarded({ trustedOrigins: [own] })
    expect((await failure(fetch(`${own}/redirect`))).reason).toBe('redirect')
    expect(hits).toEqual(['/redirect'])
  })

  test.each(['http://127.0.0.1/', 'file:///etc/hostname', 'data:text/plain,a', 'https://u:p@example.com/'])(
    'never opens %p',
    async (url) => {
      expect((await failure(guarded()(url))).reason).toBe('address')
    },
  )
})

describe('a call to a trusted address', () => {
  const fetch = guarded({ trustedOrigins: [own] })

  test('brings body and answer', async () => {
    const response = await fetch(`${own}/echo`, { method: 'POST', body: 'hello' })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ body: 'hello', host: `127.0.0.1:${canary.port}` })
  })

  test('ends at its limits of size and time, and when it is cancelled', async () => {
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

  test('says so where nobody is there', async () => {
    const nobody = 'http://127.0.0.1:1'
    expect((await failure(guarded({ trustedOrigins: [nobody] })(nobody))).reason).toBe('network')
  })
})

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { guardedFetch, type HttpClientError } from './guarded-fetch'
import { isPublicAddress } from './public-address'
import { startTestDns } from './testing-dns'

const hits: string[] = []
/**
 * Stands in for a service of the internal network, on the loopback addresses of both families, to which a name may
 * resolve.
 */
const four = listen('127.0.0.1')
const port = four.port
const canaries = [
  { hostname: '127.0.0.1', server: four },
  { hostname: '::1', server: listen('::1', port) },
]
function listen(hostname: string, at = 0) {
  return Bun.serve({
    port: at,
    hostname,
    fetch(request) {
      hits.push(`${hostname} ${request.url}`)
      return new Response('secret')
    },
  })
}
afterAll(() => Promise.all(canaries.map(({ server }) => server.stop(true))))
beforeEach(() => {
  hits.length = 0
})

const dns = await startTestDns()
/** Addresses of a real network. Documentation addresses, which have no servers, would be refused as such. */
const outside = '93.184.216.34'
const outside6 = '2606:2800:220:1::1'

/** The outcome of a call. One to a public address is given up a moment after the name was resolved. */
async function call(url: string, trustedOrigins: string[] = []): Promise<string> {
  const givenUp = new AbortController()
  const resolve = async (host: string) => {
    const addresses = await dns.resolve(host)
    if (addresses.every(isPublicAddress)) setTimeout(() => givenUp.abort(), 300)
    return addresses
  }
  const fetch = guardedFetch({ trustedOrigins, timeoutMs: 120_000, connectMs: 120_000, resolve })
  return fetch(url, { signal: givenUp.signal }).then(
    () => 'answered',
    (error: HttpClientError) => error.reason ?? 'given up',
  )
}
let names = 0
function nameFor(...answers: string[][]): string {
  names += 1
  dns.names.set(`n${names}.example.com`, answers)
  return `n${names}.example.com`
}
const schemes = ['https', 'http']

describe('DNS rebinding', () => {
  test('is prevented by resolving once and connecting to the checked address', async () => {
    for (const inside of ['127.0.0.1', '169.254.169.254', '10.0.0.5', '0.0.0.0']) {
      const host = nameFor([outside], [inside])
      expect(['given up', 'network']).toContain(await call(`https://${host}:${port}/secret`))
      expect(dns.timesAsked(host)).toBe(1)
      expect(await call(`https://${host}:${port}/secret`)).toBe('address')
    }
    for (const inside of ['fd00::1', '::1', '::ffff:127.0.0.1', 'fe80::1', '::']) {
      const host = nameFor([outside6], [inside])
      expect(['given up', 'network']).toContain(await call(`https://${host}:${port}/secret`))
      expect(await call(`https://${host}:${port}/secret`)).toBe('address')
    }
    expect(hits).toEqual([])
  })

  test('is prevented when the system resolves the name to loopback', async () => {
    // Here every resolver of the system answers 127.0.0.1 or ::1, including the one that a socket would use by itself.
    dns.names.set('localhost', [[outside]])
    for (const scheme of schemes) {
      const origin = `${scheme}://localhost:${port}`
      expect(['given up', 'network']).toContain(await call(`${origin}/secret`, [origin]))
    }
    expect(hits).toEqual([])
  })
})

describe('name that does not resolve to public addresses only', () => {
  const addresses = [
    ...['127.0.0.1', '0.0.0.0', '169.254.169.254', '100.64.0.1', 'fd00::1', '::1', '::'],
    ...['::ffff:127.0.0.1', '::ffff:93.184.216.34', '64:ff9b::7f00:1', '2002:7f00:1::'],
    `${outside} 127.0.0.1`,
    `10.0.0.1 ${outside}`,
    `${outside} ${outside6} fd00::1`,
    `${outside} 8.8.8.8 1.1.1.1 192.168.1.1`,
  ]
  test.each(addresses)('is rejected for %s', async (records) => {
    expect(await call(`https://${nameFor(records.split(' '))}:${port}/secret`)).toBe('address')
    expect(hits).toEqual([])
  })

  test('is rejected behind a CNAME', async () => {
    dns.names.set('inner.example.net', [['127.0.0.1']])
    // A server may send the address together with the CNAME, or leave it to another query.
    for (const answer of [['inner.example.net.'], ['inner.example.net.', '127.0.0.1']])
      expect(['address', 'network']).toContain(await call(`https://${nameFor(answer)}:${port}/secret`))
    expect(hits).toEqual([])
  })

  test('fails with a network error when it has no address', async () => {
    expect(await call(`https://nobody.example.org:${port}/`)).toBe('network')
    expect(await call(`https://${nameFor([])}:${port}/`)).toBe('network')
  })
})

test.each([300, 301, 302, 303, 305, 307, 308])(
  'a redirect with status %d is not followed',
  async (status) => {
    const inside = [
      `http://127.0.0.1:${port}/`,
      `http://[::1]:${port}/`,
      `//localhost:${port}/`,
      'file:///etc/passwd',
    ]
    for (const location of inside) {
      const elsewhere = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: () => new Response(null, { status, headers: { location } }),
      })
      const origin = elsewhere.url.origin
      expect(await call(`${origin}/`, [origin])).toBe('redirect')
      await elsewhere.stop(true)
    }
    expect(hits).toEqual([])
  },
)

test('the canary servers are reachable, so that no hits mean no connections', async () => {
  for (const { hostname, server } of canaries) {
    const origin = `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${server.port}`
    expect(await call(`${origin}/`, [origin])).toBe('answered')
  }
  expect(hits).toHaveLength(2)
})

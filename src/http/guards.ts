import { networkInterfaces } from 'node:os'
import type { Env } from '#src/env'
import type { Route } from '#src/http/routes'
import { Refusal } from '#src/refusal'

const loopback = ['localhost', '127.0.0.1', '[::1]']

/**
 * Which Host headers are ours: the public one, loopback, this machine's addresses and ALLOWED_HOSTS.
 * A foreign Host is refused before routing: a short one can shift the routed path (security.md).
 */
export function hostGuard(env: Pick<Env, 'publicUrl' | 'allowedHosts'>) {
  const names = new Set([
    new URL(env.publicUrl).hostname,
    ...loopback,
    ...env.allowedHosts.map((host) => host.toLowerCase()),
  ])
  for (const addresses of Object.values(networkInterfaces())) {
    for (const each of addresses ?? []) names.add(each.family === 'IPv6' ? `[${each.address}]` : each.address)
  }
  const known = new Map<string, boolean>()
  return (request: Request): void => {
    const host = request.headers.get('host') ?? ''
    let isKnown = known.get(host)
    if (isKnown === undefined) {
      isKnown =
        /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(host) &&
        names.has(host.replace(/:\d+$/, '').toLowerCase())
      if (known.size < 1_000) known.set(host, isKnown)
    }
    if (!isKnown)
      throw new Refusal(
        'forbidden',
        'This address is not one of this site. An operator can add it to ALLOWED_HOSTS.',
      )
  }
}

/**
 * Writes come from our own pages: `Sec-Fetch-Site` says so, else `Origin`; both absent is refused unless a
 * bearer token, which no browser sends by itself, stands in their place.
 */
export function guardCrossSite(request: Request, env: Pick<Env, 'publicUrl'>): void {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
  if (request.headers.get('authorization')?.startsWith('Bearer ')) return
  if (!isFromOurPages(request, env)) {
    throw new Refusal('cross_site', 'This was sent from another site. Open the page here and try again.')
  }
}

function isFromOurPages(request: Request, env: Pick<Env, 'publicUrl'>): boolean {
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  if (site !== null && site !== 'same-origin') return false
  if (origin !== null && !isOwnOrigin(origin, request, env)) return false
  // Without a cookie there is nothing to misuse: a script that signs in is no victim.
  return site !== null || origin !== null || request.headers.get('cookie') === null
}

function isOwnOrigin(origin: string, request: Request, env: Pick<Env, 'publicUrl'>): boolean {
  const from = URL.parse(origin)
  if (!from) return false
  const own = new URL(env.publicUrl)
  if (from.origin === own.origin) return true
  // Behind https, a page that came unencrypted may be anybody's; on this machine nobody stands in between.
  if (from.protocol === 'http:' && own.protocol === 'https:' && !isLoopback(from.hostname)) return false
  return from.host === request.headers.get('host') && from.origin === origin
}

const isLoopback = (hostname: string) => loopback.includes(hostname)

/** A body is JSON where JSON is read, a form where a form is: form-encoded JSON calls are how forgeries begin. */
export function guardContentType(request: Request, route: Route): void {
  if (!route.body || request.body === null) return
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim()
  const takes = {
    json: ['application/json'],
    form: ['application/x-www-form-urlencoded'],
    stream: ['multipart/form-data'],
  }[route.body]
  if (!type || !takes.includes(type))
    throw new Refusal('wrong_content_type', `Send this as ${takes.join(' or ')}.`)
}

/**
 * The request with a body that is not longer than the route takes. A body without a stated length is read
 * here, up to the limit; a streamed upload counts for itself.
 */
export async function limitBody(request: Request, route: Route): Promise<Request> {
  if (request.body === null || request.method === 'GET' || request.method === 'HEAD') return request
  const max = route.bodyBytesMax ?? 0
  const stated = request.headers.get('content-length')
  if (stated !== null && Number(stated) > max) throw tooLarge(max)
  if (stated !== null || route.body === 'stream') return request
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body) {
    bytes += chunk.byteLength
    if (bytes > max) throw tooLarge(max)
    chunks.push(chunk)
  }
  return new Request(request.url, {
    method: request.method,
    headers: request.headers,
    body: Buffer.concat(chunks),
  })
}

export function tooLarge(bytesMax: number): Refusal {
  const size =
    bytesMax >= 1024 * 1024 ? `${Math.floor(bytesMax / 1024 / 1024)} MB` : `${Math.floor(bytesMax / 1024)} KB`
  return new Refusal(
    'too_large',
    `This is larger than ${size}, the most that is taken here. Send less at once.`,
  )
}

import { networkInterfaces } from 'node:os'
import type { TObject } from 'typebox'
import { AppError } from '#src/app-error'
import type { Env } from '#src/env'
import { requireKnownQuery } from '#src/shape/require-known'
import { contentTypes, type NamedRoute, type Route } from './route'

const loopback = ['localhost', '127.0.0.1', '[::1]']

/**
 * Returns a guard that refuses foreign Host headers. Ours are the public one, loopback, this machine's addresses and
 * ALLOWED_HOSTS. A foreign Host is refused before routing, because a short one can shift the path that Elysia routes by
 * (measured: `Host: x` with `/zz/api/admin/1` reached `/api/admin/1`).
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
        names.has(host.replace(/:\d+$/, '').toLowerCase()) &&
        URL.canParse(`http://${host}`)
      if (known.size < 1_000) known.set(host, isKnown)
    }
    if (!isKnown)
      throw new AppError(
        'forbidden',
        'This address does not belong to this site. An operator can add it to ALLOWED_HOSTS.',
      )
  }
}

/**
 * Refuses writes from other sites. `Sec-Fetch-Site` decides, or `Origin` if it is missing. A request with neither is
 * refused unless it carries a bearer token, which no browser sends by itself.
 */
export function guardCrossSite(request: Request, env: Pick<Env, 'publicUrl'>): void {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
  if (request.headers.get('authorization')?.startsWith('Bearer ')) return
  if (isFromOurPages(request, env)) return
  const isOfScript = !request.headers.has('origin') && !request.headers.has('sec-fetch-site')
  throw new AppError(
    'cross_site',
    isOfScript
      ? `A call without a bearer token must name the site it comes from. Send Origin: ${new URL(env.publicUrl).origin} with it.`
      : 'This was sent from another site. Open the page here and try again.',
  )
}

function isFromOurPages(request: Request, env: Pick<Env, 'publicUrl'>): boolean {
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  if (site !== null && site !== 'same-origin') return false
  if (origin !== null && !isOwnOrigin(origin, request, env)) return false
  // A request without cookies cannot be forged in anybody's name: a script may sign in.
  return site !== null || origin !== null || request.headers.get('cookie') === null
}

function isOwnOrigin(origin: string, request: Request, env: Pick<Env, 'publicUrl'>): boolean {
  const from = URL.parse(origin)
  if (!from) return false
  const own = new URL(env.publicUrl)
  if (from.origin === own.origin) return true
  // An http page of an https site may have been changed in transit, unless it is on this machine.
  if (from.protocol === 'http:' && own.protocol === 'https:' && !isLoopback(from.hostname)) return false
  return from.host === request.headers.get('host') && from.origin === origin
}

const isLoopback = (hostname: string) => loopback.includes(hostname)

/** Requires the content type of the route's body. Cross-site forgeries often send a form to a JSON route. */
export function guardContentType(request: Request, route: Route): void {
  if (!route.body || request.body === null) return
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim()
  if (type !== contentTypes[route.body])
    throw new AppError('wrong_content_type', `Send this as ${contentTypes[route.body]}.`)
}

/**
 * Refuses unknown query parameters of an operator's call that changes something. The router would drop them: with
 * `dryrun` in place of `dryRun`, a trial would become a change.
 */
export function guardQuery({ url }: Request, route: NamedRoute, schema: TObject | undefined): void {
  if (route.kind !== 'api' || route.access !== 'operator' || route.name.startsWith('GET ')) return
  const query = Object.fromEntries(new URL(url).searchParams)
  requireKnownQuery(query, Object.keys(schema?.properties ?? {}))
}

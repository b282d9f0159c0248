import { audioOrigin, type Env } from '#src/env'

export const requestIdHeader = 'x-request-id'

/** The label of the Association of Sites Advocating Child Protection: adults only, for parental filters. */
const rtaLabel = 'RTA-5042-1996-1400-1577-RTA'

/**
 * The security headers of every response. All pages share one Content-Security-Policy without nonces, so that visitors'
 * pages can be cached compressed.
 */
export function securityHeaders(env: Pick<Env, 'isSecure' | 's3' | 'audioDelivery'>): [string, string][] {
  const store = audioOrigin(env)
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `media-src 'self' blob:${store ? ` ${store}` : ''}`,
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  const headers: [string, string][] = [
    ['content-security-policy', policy],
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    ['referrer-policy', 'same-origin'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
    ['rating', rtaLabel],
  ]
  if (env.isSecure) headers.push(['strict-transport-security', 'max-age=31536000; includeSubDomains'])
  return headers
}

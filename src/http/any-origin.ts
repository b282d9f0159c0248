/**
 * Lets pages of every origin read an answer: a podcast player of the web asks for feeds, audio and art. Without
 * `Access-Control-Allow-Credentials` browsers hand over nothing that was asked for with cookies.
 */
export function openToAnyOrigin({ headers }: Response): void {
  headers.set('access-control-allow-origin', '*')
  headers.set('access-control-expose-headers', 'accept-ranges, content-length, content-range, etag')
  headers.set('cross-origin-resource-policy', 'cross-origin')
}

/** The answer to a browser that asks first what another origin may send. */
export function respondPreflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': 'range, if-range, if-none-match, if-modified-since',
      'access-control-max-age': '86400',
    },
  })
}

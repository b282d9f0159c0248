/**
 * Lets pages of every origin read a response, since web podcast players fetch feeds, audio and art. Without
 * `Access-Control-Allow-Credentials` browsers withhold every response to a request with cookies.
 */
export function openToAnyOrigin({ headers }: Response): void {
  headers.set('access-control-allow-origin', '*')
  headers.set('access-control-expose-headers', 'accept-ranges, content-length, content-range, etag')
  headers.set('cross-origin-resource-policy', 'cross-origin')
}

/** The response to a CORS preflight request. */
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

/** Redirects to a page by GET after a form post (RFC 9110 §15.4.4). */
export function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location } })
}

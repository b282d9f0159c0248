/** Registers a member at a server. Returns the cookies that a browser would send from then on. */
export async function signUp(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `listener-${process.pid}@example.com`, password: 'lanterns on the water' }),
  })
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

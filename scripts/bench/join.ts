/** Registers a member at a benchmarked server. Returns the session's cookie. */
export async function joinNocturne(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ email: `${crypto.randomUUID()}@example.com`, password: 'lanterns on the water' }),
  })
  if (!response.ok) throw new Error(`Registering answered ${response.status}`)
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

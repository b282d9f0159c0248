import type { Browser } from '#src/testing/app'
import { site } from './testing'

/** Follows a provider's redirects, and returns the callback's parameters. */
export async function followRedirects(start: string | null): Promise<URLSearchParams> {
  const jar = new Map<string, string>()
  for (let at = start ?? '', step = 0; step < 10; step += 1) {
    if (at.startsWith(site)) return new URL(at).searchParams
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = each.match(/^([^=]+)=([^;]*)/) ?? []
      if (value) jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location) at = new URL(location, at).href
    else return formOf(await response.text())
  }
  throw new Error('The provider redirects in a circle.')
}

/** The hidden fields of a page that submits itself, as Apple's answer does. */
function formOf(page: string): URLSearchParams {
  const fields = [...page.matchAll(/name="([^"]+)" value="([^"]*)"/g)]
  if (fields.length === 0) throw new Error(`The provider stopped: ${page.slice(0, 300)}`)
  return new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value]))
}

/** Signs in with a provider from a page, and returns the callback's response and parameters. */
export async function signInWith(
  who: Browser,
  provider: string,
  next = '/stories',
): Promise<{ response: Response; answer: URLSearchParams }> {
  const begun = await who.call(`/api/auth/${provider}?next=${encodeURIComponent(next)}`)
  const answer = await followRedirects(begun.headers.get('location'))
  return { response: await returnFromProvider(who, provider, answer), answer }
}

/** Opens the callback with a provider's answer, as a returning browser does. */
export async function returnFromProvider(
  who: Browser,
  provider: string,
  answer: URLSearchParams,
): Promise<Response> {
  const path = `/api/auth/${provider}/callback`
  if (provider !== 'apple') return who.call(`${path}?${answer}`, { headers: asPerson })
  const posted = await postFromElsewhere(who, path, answer)
  const location = posted.headers.get('location')
  return location ? who.call(location, { headers: asPerson }) : posted
}

/** The headers of a navigating browser. */
export const asPerson = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }

/** Posts a form from another site's page: only cookies with SameSite=None are sent. */
export async function postFromElsewhere(
  who: Browser,
  path: string,
  fields: URLSearchParams,
): Promise<Response> {
  const lax = [...who.jar].filter(([name]) => !name.includes('entry_apple'))
  for (const [name] of lax) who.jar.delete(name)
  const response = await who.call(path, {
    form: Object.fromEntries(fields),
    headers: { ...asPerson, 'sec-fetch-site': 'cross-site', origin: 'https://appleid.apple.com' },
  })
  for (const [name, value] of lax) who.jar.set(name, value)
  return response
}

import { keyedHash } from '#src/keyed-hash'

export type CookieOptions = {
  maxAgeSeconds?: number
  /** `None` needs https, and stands for a post from another site's page. */
  sameSite?: 'Lax' | 'Strict' | 'None'
  isSecure: boolean
  /** Cookies that a script of ours writes too (theme, welcome). */
  isReadable?: boolean
}

/** The cookies of a request by name; the first of a name counts. */
export function readCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    if (at > 0 && !cookies.has(name)) cookies.set(name, part.slice(at + 1).trim())
  }
  return cookies
}

/** A Set-Cookie value. On https names get the `__Host-` prefix: no other host can plant them. */
export function writeCookie(name: string, value: string, options: CookieOptions): string {
  const parts = [
    `${cookieName(name, options.isSecure)}=${value}`,
    'Path=/',
    `SameSite=${options.sameSite ?? 'Lax'}`,
  ]
  if (!options.isReadable) parts.push('HttpOnly')
  if (options.isSecure || options.sameSite === 'None') parts.push('Secure')
  if (options.maxAgeSeconds !== undefined) parts.push(`Max-Age=${options.maxAgeSeconds}`)
  return parts.join('; ')
}

export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}

/** A value that only this program can have made; `purpose` ties it to one cookie. */
export function sign(secret: string, purpose: string, value: string): string {
  return `${value}.${keyedHash(secret, `cookie:${purpose}`, value)}`
}

/** The value of a signed cookie, or null: a bad signature counts as no cookie. */
export function unsign(secret: string, purpose: string, signed: string | undefined): string | null {
  const at = signed?.lastIndexOf('.') ?? -1
  if (!signed || at < 1) return null
  const value = signed.slice(0, at)
  return sign(secret, purpose, value) === signed ? value : null
}

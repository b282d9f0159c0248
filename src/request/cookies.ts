import type { Env } from '#src/env'
import type { RequestContext } from '#src/request/context'
import { signValue, unsignValue } from '#src/security/signed-value'

/** Every cookie of ours but those of a sign-in in progress (session/auth-challenge.ts). */
export const cookieNames = {
  member: 'nocturne_session',
  operator: 'nocturne_operator',
  visitor: 'nocturne_visitor',
  age: 'nocturne_age',
  arrival: 'nocturne_arrival',
  evening: 'nocturne_evening',
  open: 'nocturne_open',
  device: 'nocturne_device',
  discreet: 'nocturne_discreet',
  tracking: 'nocturne_tracking',
} as const

/** Cookies that our scripts read and write too, under these plain names. */
export const preferenceNames = { theme: 'nocturne_theme', welcome: 'nocturne_welcome' } as const

type Jar = Pick<RequestContext, 'cookies' | 'services'>
export type CookieOptions = {
  /** A session cookie where it is left out. */
  maxAgeSeconds?: number
  /** `none` needs https, and is for a post from another site's page. */
  sameSite?: 'lax' | 'strict' | 'none'
}

/** On https names get the `__Host-` prefix: no other host can plant them. */
export function cookieName(name: string, { isSecure }: Pick<Env, 'isSecure'>): string {
  return isSecure ? `__Host-${name}` : name
}

/** The value that the browser sent, or that this answer has set already; null where there is none, or an empty one. */
export function readCookie({ cookies, services }: Jar, name: string): string | null {
  return cookies.get(cookieName(name, services.env)) || null
}

/** Sets an HttpOnly cookie of the answer; a later call for the same name replaces it. */
export function writeCookie(
  { cookies, services }: Jar,
  name: string,
  value: string,
  { maxAgeSeconds, sameSite = 'lax' }: CookieOptions = {},
): void {
  const { isSecure } = services.env
  cookies.set({
    name: cookieName(name, services.env),
    value,
    httpOnly: true,
    secure: isSecure || sameSite === 'none',
    sameSite,
    maxAge: maxAgeSeconds,
  })
}

export function clearCookie(
  jar: Jar,
  name: string,
  options: Omit<CookieOptions, 'maxAgeSeconds'> = {},
): void {
  writeCookie(jar, name, '', { ...options, maxAgeSeconds: 0 })
}

/** The value of a signed cookie; a bad signature counts as no cookie. `purpose` is part of the signature. */
export function readSignedCookie(jar: Jar, name: string, purpose = name): string | null {
  return unsignValue(jar.services.secrets.session, purpose, readCookie(jar, name))
}

/** Sets a signed cookie. */
export function writeSignedCookie(
  jar: Jar,
  name: string,
  value: string,
  { purpose = name, ...options }: CookieOptions & { purpose?: string } = {},
): void {
  writeCookie(jar, name, signValue(jar.services.secrets.session, purpose, value), options)
}

/** A preference of this browser; an empty one counts as none. */
export function readPreference({ cookies }: Jar, name: keyof typeof preferenceNames): string | null {
  return cookies.get(preferenceNames[name]) || null
}

/** Stores a preference for a year where scripts can read it, as a page's buttons do; null deletes it. */
export function writePreference(
  { cookies, services }: Jar,
  name: keyof typeof preferenceNames,
  value: string | null,
): void {
  cookies.set({
    name: preferenceNames[name],
    value: value ?? '',
    secure: services.env.isSecure,
    sameSite: 'lax',
    maxAge: value === null ? 0 : preferenceSeconds,
  })
}

const preferenceSeconds = 365 * 24 * 3_600

import type { Env } from '#src/env'
import type { RequestContext } from '#src/request/context'
import { signValue, unsignValue } from '#src/security/signed-value'

/** The names of all our cookies, except those of a sign-in in progress (session/auth-challenge.ts). */
export const cookieNames = {
  member: 'nocturne_session',
  operator: 'nocturne_operator',
  visitor: 'nocturne_visitor',
  age: 'nocturne_age',
  arrival: 'nocturne_arrival',
  evening: 'nocturne_evening',
  unlock: 'nocturne_open',
  device: 'nocturne_device',
  discreet: 'nocturne_discreet',
  tracking: 'nocturne_tracking',
} as const

/** Cookies that browser scripts read and write too, under these unprefixed names. */
export const preferenceNames = { theme: 'nocturne_theme', welcome: 'nocturne_welcome' } as const

type Jar = Pick<RequestContext, 'cookies' | 'services'>
export type CookieOptions = {
  /** Lifetime in seconds; a session cookie if it is left out. */
  maxAgeSeconds?: number
  /** `none` needs https, and is for a form that another site's page posts. */
  sameSite?: 'lax' | 'strict' | 'none'
}

/** The name of a cookie; on https with the `__Host-` prefix, so that no other host can plant it. */
export function cookieName(name: string, { isSecure }: Pick<Env, 'isSecure'>): string {
  return isSecure ? `__Host-${name}` : name
}

/** The value that the browser sent, or that this response has already set; null if it is missing or empty. */
export function readCookie({ cookies, services }: Jar, name: string): string | null {
  return cookies.get(cookieName(name, services.env)) || null
}

/** Sets an HttpOnly cookie in the response; a later call for the same name replaces it. */
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

/** The value of a preference in this browser; null if it is missing or empty. */
export function readPreference({ cookies }: Jar, name: keyof typeof preferenceNames): string | null {
  return cookies.get(preferenceNames[name]) || null
}

/**
 * Stores a preference for a year in a cookie that scripts can read, since buttons of the page do the same; null deletes
 * it.
 */
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

import { keyedHash } from '#src/security/keyed-hash'

/** Signs a value; `purpose` binds it to one cookie. */
export function signValue(secret: string, purpose: string, value: string): string {
  return `${value}.${keyedHash(secret, `cookie:${purpose}`, value)}`
}

/** Returns the value without its signature; null if the signature is invalid. */
export function unsignValue(secret: string, purpose: string, signed: string | null): string | null {
  const at = signed?.lastIndexOf('.') ?? -1
  if (!signed || at < 1) return null
  const value = signed.slice(0, at)
  return signValue(secret, purpose, value) === signed ? value : null
}

import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA-256 as base64url; `purpose` separates the hashes of different uses. */
export function keyedHash(secret: string, purpose: string, text: string): string {
  return createHmac('sha256', secret).update(`${purpose}\0${text}`).digest('base64url')
}

/** 32 random bytes as base64url: an unguessable token. */
export function randomToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

/** SHA-256 as hex. */
export function sha256(text: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}

/** Compares two texts in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(a)), Buffer.from(sha256(b)))
}

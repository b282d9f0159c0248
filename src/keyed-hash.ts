import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA-256 as base64url; `purpose` keeps one use's hashes apart from another's. */
export function keyedHash(secret: string, purpose: string, text: string): string {
  return createHmac('sha256', secret).update(`${purpose}\0${text}`).digest('base64url')
}

/** 32 random bytes as base64url: what only who was given it can know. */
export function randomToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

/** SHA-256 as hex. */
export function sha256(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}

/** Whether two texts are equal, in a time that tells nothing about either. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(a)), Buffer.from(sha256(b)))
}

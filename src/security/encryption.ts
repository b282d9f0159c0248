import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { isSameSecret, sha256 } from '#src/security/keyed-hash'

/** The row and column that a text is sealed for: copied elsewhere, it cannot be unsealed. */
export type SealedPlace = { table: string; row: string; column: string }

/** Thrown for a sealed text that this key cannot decrypt: another key sealed it, or it was moved or changed. */
export class UnsealError extends Error {}

/**
 * Encrypts a text for the database: AES-256-GCM with a fresh nonce and the place as additional data. The result names
 * the key (`v1.<key id>.<nonce>.<text and tag>`), so that a changed ENCRYPTION_KEY is noticed.
 */
export function seal(secret: string, place: SealedPlace, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(dataOf(place))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return ['v1', keyIdOf(secret), nonce.toString('base64url'), sealed.toString('base64url')].join('.')
}

/** Decrypts a sealed text. Throws UnsealError. */
export function unseal(secret: string, place: SealedPlace, sealed: string): string {
  const [version, keyId = '', nonce = '', body = ''] = sealed.split('.')
  if (version !== 'v1' || !isSameSecret(keyId, keyIdOf(secret)))
    throw new UnsealError('This was sealed with another ENCRYPTION_KEY.')
  const bytes = Buffer.from(body, 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), Buffer.from(nonce, 'base64url'))
    decipher.setAAD(dataOf(place)).setAuthTag(bytes.subarray(-tagBytes))
    return decipher.update(bytes.subarray(0, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch (error) {
    throw new UnsealError('This was sealed for another place, or changed.', { cause: error })
  }
}

const tagBytes = 16

/** Derives 32 bytes from an ENCRYPTION_KEY in any format. */
function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'nocturne sealed texts', 32))
}

/** A short id of a key, from which the key cannot be derived. */
export function keyIdOf(secret: string): string {
  return sha256(`key id\n${secret}`).slice(0, 8)
}

function dataOf({ table, row, column }: SealedPlace): Buffer {
  return Buffer.from(`${table}:${row}:${column}`)
}

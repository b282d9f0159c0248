import { keyedHash } from '#src/security/keyed-hash'
import type { Secrets } from '#src/security/secrets'

/**
 * Identifies a member in the browser's storage: pages carry it, and data stored under it are for this member only. It
 * reveals nothing of the account. Null for a visitor.
 */
export function ownerOf(secrets: Pick<Secrets, 'session'>, member: { id: string } | null): string | null {
  return member && keyedHash(secrets.session, 'owner', member.id).slice(0, ownerCharacters)
}

const ownerCharacters = 22

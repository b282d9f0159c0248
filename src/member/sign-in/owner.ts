import { keyedHash } from '#src/security/keyed-hash'
import type { Secrets } from '#src/security/secrets'

/**
 * Identifies a member in the browser's storage without revealing anything about the account. Pages contain it, and data
 * stored under it are only for this member. Null for a visitor.
 */
export function ownerOf(secrets: Pick<Secrets, 'session'>, member: { id: string } | null): string | null {
  return member && keyedHash(secrets.session, 'owner', member.id).slice(0, ownerCharacters)
}

const ownerCharacters = 22

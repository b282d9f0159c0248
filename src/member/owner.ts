import { keyedHash } from '#src/keyed-hash'
import type { Secrets } from '#src/secrets'

/**
 * A member's name in the stores of a browser: pages say it, and what was kept under it is for no one else. It
 * tells nothing of the account. Null for a visitor.
 */
export function ownerOf(secrets: Pick<Secrets, 'session'>, member: { id: string } | null): string | null {
  return member && keyedHash(secrets.session, 'owner', member.id).slice(0, ownerCharacters)
}

const ownerCharacters = 22

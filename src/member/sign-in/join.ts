import { sql } from 'drizzle-orm'
import { askToVerify } from '#src/member/email/verify-email'
import type { Registration } from '#src/member/schema'
import type { Services } from '#src/services'
import { register } from './register'
import type { Device, Verified } from './sign-in'

/** Registers a member and mails a link that confirms the given address. Throws what `register` throws. */
export async function join(
  services: Pick<Services, 'db' | 'env' | 'secrets'>,
  registration: Registration,
  { addressHash }: Device,
): Promise<Verified> {
  const member = await register(services.db, registration, addressHash)
  await askToVerify(services, member)
  return { member, isStillOpen: sql`true` }
}

import { askToVerify } from '#src/member/email/verify-email'
import type { Registration } from '#src/member/schema'
import type { Services } from '#src/services'
import type { Member } from '#src/session/schema'
import { register } from './register'
import type { Device } from './sign-in'

/** Registers a member and mails a welcome to the given address. Throws what `register` throws. */
export async function join(
  services: Pick<Services, 'db' | 'env' | 'secrets'>,
  registration: Registration,
  { addressHash }: Device,
): Promise<Member> {
  const member = await register(services.db, registration, addressHash)
  await askToVerify(services, member)
  return member
}

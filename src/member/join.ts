import type { Parts } from '#src/parts'
import { register } from './register'
import type { Registration } from './schema'
import type { Member } from './session'
import type { Device } from './sign-in'
import { askToVerify } from './verify-email'

/** Makes a member and writes to the address that was given. Throws what `register` throws. */
export async function join(
  parts: Pick<Parts, 'db' | 'env' | 'secrets'>,
  registration: Registration,
  { addressHash }: Device,
): Promise<Member> {
  const member = await register(parts.db, registration, addressHash)
  await askToVerify(parts, member)
  return member
}

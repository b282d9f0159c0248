import type { Executor } from '#db/db'
import { isFreshSession } from '#src/session/fresh-session'
import type { SignedIn } from '#src/session/schema'
import { refusedField } from '#src/shape/invalid-field'
import { hasPassword, requirePassword } from './account'
import type { Proof } from './account-schema'

/**
 * Requires a proof that the member is present before a sign-in method is added or removed: a sign-in on this device
 * within the last ten minutes, or the password. Throws `invalid` about `password`, and `throttled`.
 */
export async function requirePresence(
  db: Executor,
  { id, sid }: SignedIn,
  { password }: Proof,
  aim: 'add' | 'remove',
): Promise<void> {
  if (await isFreshSession(db, sid)) return
  if (password) {
    await requirePassword(db, id, password, 'password')
    return
  }
  const message = (await hasPassword(db, id))
    ? `Type your password again to ${aim} a way to sign in.`
    : `Sign in again, then ${aim} it within ten minutes.`
  throw refusedField('password', message)
}

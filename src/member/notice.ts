import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { users } from '#db/schema'
import type { Parts } from '#src/parts'
import { urls } from '#src/urls'
import { type AccountChange, noticeLetter } from './letters'
import { writeToMember } from './write-to-member'

/**
 * Queues the letter that tells a member of a change to the ways into the account, in the transaction of the change.
 * It is always sent, whatever mails the member does without. `email` is where it goes, if not to the account's own.
 */
export async function writeNotice(
  { db, env, secrets }: Pick<Parts, 'env' | 'secrets'> & { db: Executor },
  userId: string,
  change: AccountChange,
  email?: string | null,
): Promise<void> {
  const to = email === undefined ? await findEmail(db, userId) : email
  if (to === null) return
  const letter = noticeLetter(change, {
    siteName: env.siteName,
    resetLink: env.publicUrl + urls.resetPassword(),
    contactLink: env.publicUrl + urls.contact(),
  })
  await writeToMember({ db, secrets }, { userId, email: to }, letter)
}

async function findEmail(db: Executor, userId: string): Promise<string | null> {
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return row?.email ?? null
}

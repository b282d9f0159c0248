import { eq } from 'drizzle-orm'
import { newId } from '#db/columns'
import { users } from '#db/schema'
import { enqueue } from '#src/job/enqueue'
import type { JobHandler } from '#src/job/worker'
import type { Parts } from '#src/parts'
import { seal, unseal } from '#src/sealed'
import { urls } from '#src/urls'
import { resetLetter } from './letters'
import { makeMailToken } from './mail-token'
import { resetLinkSeconds } from './rules'
import { writeToMember } from './write-to-member'

export const resetKind = 'password-reset'

/**
 * Queues the question whose address this is, whether it is anybody's or not: who asks learns nothing from the
 * time it takes.
 */
export async function queueResetLetter(
  { db, secrets }: Pick<Parts, 'db' | 'secrets'>,
  email: string,
): Promise<void> {
  const key = newId()
  const sealed = seal(secrets.encryption, placeOf(key), email)
  await enqueue(db, { kind: resetKind, dedupeKey: key, payload: { key, sealed } })
}

/** Writes the letter where the address is a member's. */
export function resetLetterHandler({ db, env, secrets }: Pick<Parts, 'db' | 'env' | 'secrets'>): JobHandler {
  return async ({ payload }) => {
    const { key, sealed } = payload as { key: string; sealed: string }
    const email = unseal(secrets.encryption, placeOf(key), sealed)
    await db.transaction(async (tx) => {
      const [member] = await tx.select({ userId: users.id }).from(users).where(eq(users.email, email))
      if (!member) return
      const token = await makeMailToken(tx, 'reset', { ...member, email }, resetLinkSeconds)
      const link = env.publicUrl + urls.resetPassword({ token })
      await writeToMember(
        { db: tx, secrets },
        { ...member, email },
        resetLetter({ siteName: env.siteName, link }),
      )
    })
  }
}

function placeOf(key: string) {
  return { table: 'jobs', row: key, column: 'payload' }
}

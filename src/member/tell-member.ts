import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { userSettings, users } from '#db/schema'
import type { Mail } from '#src/mail/send-mail'
import type { Parts } from '#src/parts'
import { queuePush } from '#src/push/queue'
import type { PushTopic } from '#src/push/rules'
import { writeToMember } from './write-to-member'

/** Something that a member may want to know at once. */
export type News = {
  /** On their screens: what it is about, and where it is seen. Null for what no page shows. */
  notice: { topic: PushTopic; path: string } | null
  /** What a mail says of it; null for what is not worth one. */
  letter: Pick<Mail, 'subject' | 'text'> | null
  /** `owed`: a statement of reasons is written whatever the member has chosen. */
  letterIs?: 'wanted' | 'owed'
}

/**
 * Tells a member by mail and on their screens, each where they have chosen it. Both are queued: they go after the
 * commit of the transaction that this is part of.
 */
export async function tellMember(
  parts: Pick<Parts, 'secrets'> & { db: Executor },
  userId: string,
  { notice, letter, letterIs = 'wanted' }: News,
): Promise<void> {
  const [member] = await parts.db
    .select({ email: users.email, wantsMail: userSettings.emailNotifications })
    .from(users)
    .leftJoin(userSettings, eq(userSettings.userId, users.id))
    .where(eq(users.id, userId))
  if (!member) return
  const isWritten = letterIs === 'owed' || (member.wantsMail ?? true)
  if (letter && isWritten && member.email) await writeToMember(parts, { userId, email: member.email }, letter)
  if (notice) await queuePush(parts.db, userId, notice)
}

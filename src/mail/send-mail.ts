import { sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { jobs } from '#db/schema'
import { enqueue } from '#src/job/enqueue'
import { mailKinds } from '#src/job/rules'
import { seal, unseal } from '#src/security/encryption'
import type { Secrets } from '#src/security/secrets'
import { shorten } from '#src/text/shorten'
import { tidyLine, tidyText } from '#src/text/tidy-text'
import { attemptsMax, sentRetentionHours, subjectCharactersMax, textCharactersMax } from './rules'

export type Mail = {
  /** A single address. */
  to: string
  subject: string
  /** Plain text, with an empty line between paragraphs. */
  text: string
  /** `discreet` is for members who asked for it: neither subject nor sender reveal the site. */
  look?: 'plain' | 'discreet'
}

export const mailKind = 'mail'

/**
 * Queues a mail. It is sent after the caller's transaction commits, retried while the mail server is unavailable, and
 * never waited for. Its text is sealed, since it may contain a link that opens an account.
 */
export async function sendMail(
  { db, secrets }: { db: Executor; secrets: Pick<Secrets, 'encryption'> },
  { to, subject, text, look = 'plain' }: Mail,
): Promise<void> {
  const key = newId()
  const mail: Required<Mail> = {
    to,
    subject: shorten(tidyLine(subject), subjectCharactersMax),
    text: shorten(tidyText(text), textCharactersMax),
    look,
  }
  const sealed = seal(secrets.encryption, placeOf(key), JSON.stringify(mail))
  await enqueue(db, { kind: mailKind, dedupeKey: key, payload: { key, sealed }, attemptsMax })
}

/** Decrypts the mail of a job. Throws UnsealError if it was sealed with another ENCRYPTION_KEY. */
export function openMail(
  secrets: Pick<Secrets, 'encryption'>,
  payload: { key: string; sealed: string },
): Required<Mail> {
  return JSON.parse(unseal(secrets.encryption, placeOf(payload.key), payload.sealed))
}

/** Removes mails that were sent more than a day ago, and the jobs that wrote them. */
export async function pruneMails(db: Executor): Promise<void> {
  await db
    .delete(jobs)
    .where(
      sql`${jobs.kind} in ${mailKinds} and ${jobs.state} = 'done' and ${jobs.finishedAt} < now() - make_interval(hours => ${sentRetentionHours})`,
    )
}

function placeOf(key: string) {
  return { table: 'jobs', row: key, column: 'payload' }
}

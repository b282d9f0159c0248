import type { Executor } from '#db/db'
import { senderOf } from '#src/mail/deliver'
import { sendMail } from '#src/mail/send-mail'
import { notifyMember } from '#src/notification/notify-member'
import type { Services } from '#src/services'
import { urls } from '#src/urls'
import type { StoredReport } from './reports'
import { authorStatement, type DecisionOutcome, type Reasons, reporterStatement } from './statement'

export type Decided = {
  outcome: DecisionOutcome
  /** The decided report, and all reports that were decided with it, itself among them. */
  report: StoredReport
  decided: readonly StoredReport[]
  item: { title: string }
  notes: string
  /** The author of the item, if they are to be notified. */
  authorId: string | null
}

/**
 * Queues the statements of reasons in the transaction of the decision: one for each person with an address. A member
 * may turn off mails about their reports; a decision about their own item is always sent.
 */
export async function notifyDecision(
  services: Pick<Services, 'env' | 'secrets'> & { db: Executor },
  { outcome, report, decided, item, notes, authorId }: Decided,
): Promise<void> {
  const reasonsOf = ({ id, flagType }: StoredReport): Reasons => ({
    number: id,
    title: item.title,
    flagType,
    outcome,
    notes,
    siteName: services.env.siteName,
    contact: services.env.contactEmail ?? senderOf(services.env).address,
  })
  if (authorId)
    await notifyMember(services, authorId, {
      notice: { topic: 'sharing', path: urls.myContent() },
      mail: authorStatement(reasonsOf(report)),
      mailIs: 'owed',
    })
  const notified = new Set<string>()
  for (const each of decided) {
    const person = each.flaggedBy ?? each.reporterEmail
    if (!person || notified.has(person)) continue
    notified.add(person)
    const mail = reporterStatement(reasonsOf(each))
    // No page shows the outcome of a report, so a push notification would have no target.
    if (each.flaggedBy) await notifyMember(services, person, { notice: null, mail })
    else await sendMail(services, { to: person, ...mail })
  }
}

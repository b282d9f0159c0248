import type { Executor } from '#db/db'
import type { contentFlags } from '#db/schema'
import { senderOf } from '#src/mail/deliver'
import { sendMail } from '#src/mail/send-mail'
import { tellMember } from '#src/member/tell-member'
import type { Parts } from '#src/parts'
import { urls } from '#src/urls'
import { makerStatement, type Outcome, type Reasons, reporterStatement } from './statement'

type Flag = typeof contentFlags.$inferSelect
export type Decided = {
  outcome: Outcome
  /** The report that was decided on, and those that were settled with it; it is among them. */
  flag: Flag
  settled: readonly Flag[]
  item: { title: string }
  notes: string
  /** Whose item it is, where that person is to be told. */
  makerId: string | null
}

/**
 * Queues the statements of reasons, in the transaction of the decision: one a person, where there is an address. A
 * member may do without hearing what became of a report; what was decided of their own item is always said.
 */
export async function tellDecision(
  parts: Pick<Parts, 'env' | 'secrets'> & { db: Executor },
  { outcome, flag, settled, item, notes, makerId }: Decided,
): Promise<void> {
  const reasonsOf = ({ id, flagType }: Flag): Reasons => ({
    number: id,
    title: item.title,
    flagType,
    outcome,
    notes,
    siteName: parts.env.siteName,
    contact: parts.env.contactEmail ?? senderOf(parts.env).address,
  })
  if (makerId)
    await tellMember(parts, makerId, {
      notice: { topic: 'sharing', path: urls.myContent() },
      letter: makerStatement(reasonsOf(flag)),
      letterIs: 'owed',
    })
  const told = new Set<string>()
  for (const each of settled) {
    const person = each.flaggedBy ?? each.reporterEmail
    if (!person || told.has(person)) continue
    told.add(person)
    const letter = reporterStatement(reasonsOf(each))
    // No page shows what became of a report: a notification would lead nowhere.
    if (each.flaggedBy) await tellMember(parts, person, { notice: null, letter })
    else await sendMail(parts, { to: person, ...letter })
  }
}

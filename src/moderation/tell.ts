import { eq, inArray } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { type contentFlags, userSettings, users } from '#db/schema'
import { senderOf } from '#src/mail/deliver'
import { sendMail } from '#src/mail/send-mail'
import type { Parts } from '#src/parts'
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

/** Queues the statements of reasons, in the transaction of the decision: one a person, where there is an address. */
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
  const members = await findMembers(parts.db, [makerId, ...settled.map(({ flaggedBy }) => flaggedBy)])
  const maker = makerId ? members.get(makerId) : undefined
  if (maker) await sendMail(parts, { ...maker, ...makerStatement(reasonsOf(flag)) })

  const reporters = settled.map((each) => ({
    each,
    box: each.flaggedBy ? whereWanted(members.get(each.flaggedBy)) : visitor(each),
  }))
  const told = new Set<string>()
  for (const { each, box } of reporters) {
    if (!box || told.has(box.to)) continue
    told.add(box.to)
    await sendMail(parts, { ...box, ...reporterStatement(reasonsOf(each)) })
  }
}

type Box = { to: string; look: 'plain' | 'discreet' }
type MemberBox = Box & { wantsMail: boolean }

/** A member may do without hearing what became of a report; what was decided of their own item is always said. */
function whereWanted(box: MemberBox | undefined): MemberBox | undefined {
  return box?.wantsMail ? box : undefined
}

function visitor({ reporterEmail }: Flag): Box | undefined {
  return reporterEmail ? { to: reporterEmail, look: 'plain' } : undefined
}

/** By id; who has no e-mail is left out. */
async function findMembers(db: Executor, ids: readonly (string | null)[]): Promise<Map<string, MemberBox>> {
  const wanted = ids.filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const rows = await db
    .select({
      id: users.id,
      email: users.email,
      isDiscreet: userSettings.discreetMode,
      wantsMail: userSettings.emailNotifications,
    })
    .from(users)
    .leftJoin(userSettings, eq(userSettings.userId, users.id))
    .where(inArray(users.id, wanted))
  return new Map(
    rows.flatMap(({ id, email, isDiscreet, wantsMail }): [string, MemberBox][] =>
      email
        ? [[id, { to: email, look: isDiscreet ? 'discreet' : 'plain', wantsMail: wantsMail ?? true }]]
        : [],
    ),
  )
}

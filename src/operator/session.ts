import { and, desc, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { sessions } from '#db/schema'
import type { SessionData } from '#db/tables/member'
import { AppError } from '#src/app-error'
import { operatorSessionSeconds } from '#src/member/rules'
import { type Caller, requireOperator } from '#src/request/caller'
import type { Services } from '#src/services'
import { deviceWords } from '#src/session/device-words'
import { recordChange } from './audit'
import type { OperatorSession } from './session-schema'
import { tokenFingerprint } from './token'

type SessionServices = Pick<Services, 'secrets'> & { db: Executor }

/** Maximum number of listed sessions; "sign out the others" ends all of them. */
const shownMax = 100
/** Length of a session's public id: a prefix of its hash, too short to find the cookie by. */
const idCharacters = 16

/** Lists the open sessions of operators, the last used first. `sid` is the requesting session, or null. */
export async function listOperatorSessions(
  services: SessionServices,
  sid: string | null,
): Promise<OperatorSession[]> {
  const rows = await services.db
    .select({ sid: sessions.sid, data: sessions.sess, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .where(isOpen(services))
    .orderBy(desc(sessions.lastSeenAt))
    .limit(shownMax)
  return rows.map(({ sid: each, data, lastSeenAt }) => ({
    id: each.slice(0, idCharacters),
    name: data.operatorName ?? 'operator',
    device: deviceWords(data.userAgent),
    startedAt: data.startedAt,
    lastSeenAt: lastSeenAt.toISOString(),
    endsAt: new Date(Date.parse(data.startedAt) + operatorSessionSeconds * 1_000).toISOString(),
    isCurrent: each === sid,
  }))
}

/** Ends one session by its id in the list. Throws `not_found`. */
export async function endOperatorSession(
  services: Pick<Services, 'db' | 'secrets'>,
  id: string,
  by: string,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const isThat = sql`left(${sessions.sid}, ${idCharacters}) = ${id}`
    const [ended] = await removeOperatorSessions({ ...services, db: tx }, isThat)
    if (!ended) throw new AppError('not_found', 'This session no longer exists.')
    const { operatorName, userAgent, startedAt } = ended.data
    await recordChange(tx, by, {
      action: 'end',
      subjectType: 'operator session',
      subjectId: id,
      before: { name: operatorName, device: deviceWords(userAgent), startedAt },
    })
  })
}

/** Ends every session but `sid`, the requesting one, or all if it is null. Returns how many. */
export async function endOtherOperatorSessions(
  services: Pick<Services, 'db' | 'secrets'>,
  by: string,
  sid: string | null,
): Promise<number> {
  return services.db.transaction(async (tx) => {
    const isOther = sid === null ? undefined : ne(sessions.sid, sid)
    const ended = await removeOperatorSessions({ ...services, db: tx }, isOther)
    const after = { ended: ended.length }
    if (ended.length > 0)
      await recordChange(tx, by, { action: 'end', subjectType: 'operator session', after })
    return ended.length
  })
}

/** Throws `operator_required` if an operator's session has ended since their request arrived. */
export async function requireOpenOperator(services: SessionServices, caller: Caller): Promise<void> {
  const { sid } = requireOperator(caller)
  const isOpen = sid === null || (await isOperatorSessionOpen(services, sid))
  if (!isOpen) requireOperator({ ...caller, operator: null })
}

/** Whether a session has neither been ended nor expired. */
export async function isOperatorSessionOpen(services: SessionServices, sid: string): Promise<boolean> {
  return (await services.db.$count(sessions, and(isOpen(services), eq(sessions.sid, sid)))) > 0
}

/** Counts the sessions that a new token would end. */
export function countOperatorSessions(services: SessionServices): Promise<number> {
  return services.db.$count(sessions, isOpen(services))
}

/** Deletes open sessions without an entry in the audit log; all of them without `which`. */
export function removeOperatorSessions(
  services: SessionServices,
  which?: SQL,
): Promise<{ data: SessionData }[]> {
  return services.db
    .delete(sessions)
    .where(and(isOpen(services), which))
    .returning({ data: sessions.sess })
}

function isOpen(services: SessionServices) {
  return and(
    eq(sessions.kind, 'operator'),
    gt(sessions.expire, sql`now()`),
    sql`${sessions.sess}->>'tokenFingerprint' = ${tokenFingerprint(services)}`,
  )
}

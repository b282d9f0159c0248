import { and, eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { idempotentCalls as calls } from '#db/schema'
import { AppError } from '#src/app-error'
import { isRefusal } from '#src/http/errors'
import { errorFields } from '#src/process/log'
import { memberOf } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { sha256 } from '#src/security/keyed-hash'

type Call = { caller: string; key: string; userId: string | null; fingerprint: string }
type Row = typeof calls.$inferSelect

/** How long a key is remembered; below, the longest that the work of a call may take. */
const knownFor = sql`interval '24 hours'`
const workMinutesMax = 10

/**
 * Answers a call that creates something. With an Idempotency-Key the work is done only once: the key is stored before
 * the work begins, and a repeated call gets the first answer again. If the call is refused, the key is freed, since
 * nothing was made. After a server error it is unknown whether the work was done. Throws `invalid` for a key of a
 * different call, and `conflict` while the first call runs or if its end is unknown.
 */
export async function answerOnce(
  context: RequestContext,
  answer: () => Promise<Response>,
): Promise<Response> {
  const key = context.request.headers.get('idempotency-key')
  if (key === null) return answer()
  const { db, log } = context.services
  const call = callOf(context, key)
  const earlier = await takeKey(db, call)
  if (earlier) return answerAgain(earlier, call)
  const response = await answer()
  if (!response.ok) {
    const hasDoneNothing = context.error === undefined || isRefusal(context.error)
    await (hasDoneNothing ? freeKey(db, call) : giveUp(context, call))
    return response
  }
  const text = await response.text()
  await db
    .update(calls)
    .set({ status: response.status, answer: text })
    .where(isCall(call))
    .catch((error) => log.error('an answer was not stored', { requestId: context.id, ...errorFields(error) }))
  return new Response(text, response)
}

/** Removes calls that are older than a day. */
export async function pruneIdempotentCalls(db: Executor): Promise<void> {
  await db.delete(calls).where(sql`${calls.createdAt} < now() - ${knownFor}`)
}

function callOf({ request, route, caller, body }: RequestContext, key: string): Call {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new AppError(
      'invalid',
      'An Idempotency-Key is 1 to 255 letters, digits and signs, without spaces.',
      {
        fields: [{ path: 'Idempotency-Key', message: 'Expected 1 to 255 letters, digits and signs' }],
      },
    )
  const { pathname, search } = new URL(request.url)
  const userId = route?.access === 'operator' ? null : memberOf(caller).id
  return {
    caller: userId ?? 'operator',
    key,
    userId,
    fingerprint: sha256(`${request.method} ${pathname}${search}\n${JSON.stringify(body) ?? ''}`),
  }
}

/** Stores a key. Returns the call that already has it, or null if it was free. */
async function takeKey(db: Executor, call: Call): Promise<Row | null> {
  const isForgotten = sql`${calls.createdAt} < now() - ${knownFor}`
  const taken = await db
    .insert(calls)
    .values(call)
    .onConflictDoUpdate({
      target: [calls.caller, calls.key],
      set: { fingerprint: call.fingerprint, status: null, answer: null, createdAt: sql`now()` },
      setWhere: isForgotten,
    })
    .returning({ key: calls.key })
  if (taken.length > 0) return null
  const [earlier] = await db.select().from(calls).where(isCall(call))
  // The key was freed between the two queries.
  return earlier ?? takeKey(db, call)
}

function freeKey(db: Executor, call: Call) {
  return db.delete(calls).where(isCall(call))
}

/**
 * Marks a call whose end is unknown: its work may be done, but its answer is lost. The key stays taken, and a repeated
 * call is refused at once.
 */
async function giveUp({ id, services: { db, log } }: RequestContext, call: Call): Promise<void> {
  const earlier = sql`now() - make_interval(mins => ${workMinutesMax})`
  await db
    .update(calls)
    .set({ createdAt: earlier })
    .where(isCall(call))
    .catch((error) => log.error('the end of a call was not stored', { requestId: id, ...errorFields(error) }))
}

function isCall({ caller, key }: Call) {
  return and(eq(calls.caller, caller), eq(calls.key, key))
}

function answerAgain({ fingerprint, status, answer, createdAt }: Row, call: Call): Response {
  if (fingerprint !== call.fingerprint)
    throw new AppError(
      'invalid',
      'This Idempotency-Key was used for another call. Send this one with its own.',
      {
        fields: [{ path: 'Idempotency-Key', message: 'Used for another call' }],
      },
    )
  if (status !== null)
    return new Response(answer, {
      status,
      headers: { 'content-type': 'application/json', 'idempotency-replayed': 'true' },
    })
  if (Date.now() - createdAt.getTime() < workMinutesMax * 60_000)
    throw new AppError('conflict', 'The first call with this Idempotency-Key is still under way.', {
      retryAfterSeconds: 1,
    })
  throw new AppError(
    'conflict',
    'It is unknown how the first call with this Idempotency-Key ended. Check whether it was done, then use a new key.',
  )
}

import { and, desc, eq, gt, notInArray, sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { rememberedDevices, users } from '#db/schema'
import { rememberedDeviceSeconds, rememberedDevicesMax } from '#src/member/rules'
import type { RequestContext } from '#src/request/context'
import { cookieNames, readCookie, writeCookie } from '#src/request/cookies'
import { randomToken, sha256 } from '#src/security/keyed-hash'
import type { SignedIn } from '#src/session/schema'
import { lockSession } from '#src/session/session'

type Cookies = Pick<RequestContext, 'cookies' | 'services'>

/** The token by which a browser proves an earlier sign-in. Null if it has none. */
export function readDeviceToken(context: Cookies): string | null {
  return readCookie(context, cookieNames.device)
}

/**
 * Remembers the browser for the member who signs in. The token changes at every sign-in, for all members of this
 * browser, so that a planted or copied token becomes void. Throws `sign_in_required` if the session has ended meanwhile.
 */
export async function rememberBrowser(context: Cookies, member: SignedIn): Promise<void> {
  const token = await rememberDevice(context.services.db, member, readDeviceToken(context))
  writeCookie(context, cookieNames.device, token, { maxAgeSeconds: rememberedDeviceSeconds })
}

/** Whether the device with this token has signed in to the account with this email. */
export async function isRememberedDevice(db: Executor, email: string, token: string): Promise<boolean> {
  const rows = await db
    .select({ id: rememberedDevices.userId })
    .from(rememberedDevices)
    .innerJoin(users, eq(users.id, rememberedDevices.userId))
    .where(
      and(eq(rememberedDevices.tokenHash, sha256(token)), eq(users.email, email), gt(lastUsedAt, oldest())),
    )
  return rows.length > 0
}

/** Removes devices whose cookie has expired. */
export async function pruneDevices(db: Executor): Promise<void> {
  await db.delete(rememberedDevices).where(sql`${lastUsedAt} <= ${oldest()}`)
}

const { lastUsedAt } = rememberedDevices
const oldest = () => sql`now() - make_interval(secs => ${rememberedDeviceSeconds})`

async function rememberDevice(db: Database, member: SignedIn, brought: string | null): Promise<string> {
  const token = randomToken()
  const tokenHash = sha256(token)
  await db.transaction(async (tx) => {
    await lockSession(tx, member)
    if (brought !== null)
      await tx
        .update(rememberedDevices)
        .set({ tokenHash })
        .where(eq(rememberedDevices.tokenHash, sha256(brought)))
    await tx
      .insert(rememberedDevices)
      .values({ userId: member.id, tokenHash })
      .onConflictDoUpdate({
        target: [rememberedDevices.userId, rememberedDevices.tokenHash],
        set: { lastUsedAt: sql`now()` },
      })
    await forgetOldest(tx, member.id)
  })
  return token
}

async function forgetOldest(db: Executor, userId: string): Promise<void> {
  const isTheirs = eq(rememberedDevices.userId, userId)
  const newest = db
    .select({ tokenHash: rememberedDevices.tokenHash })
    .from(rememberedDevices)
    .where(isTheirs)
    .orderBy(desc(lastUsedAt))
    .limit(rememberedDevicesMax)
  await db.delete(rememberedDevices).where(and(isTheirs, notInArray(rememberedDevices.tokenHash, newest)))
}

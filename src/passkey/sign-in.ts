import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { eq, sql } from 'drizzle-orm'
import { passkeys, users } from '#db/schema'
import { AppError } from '#src/app-error'
import { suspensionWords } from '#src/member/console/suspend'
import { requireMember } from '#src/member/find-member'
import type { Verified } from '#src/member/sign-in/sign-in'
import type { RequestContext } from '#src/request/context'
import { rateLimitGuess } from '#src/security/rate-limit'
import { beginAuthChallenge, takeAuthChallenge } from '#src/session/auth-challenge'
import { knownTransports } from './add'
import type { Assertion } from './schema'

/** Returns the challenge for the device, which then lists its passkeys for this site. Throws `throttled`. */
export async function askForPasskey(context: RequestContext): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID: new URL(context.services.env.publicUrl).hostname,
    userVerification: 'required',
  })
  const secret = { challenge: options.challenge }
  await beginAuthChallenge(context, 'passkey', { userId: null, secret })
  return options
}

/**
 * Verifies a signed challenge and returns the member of the passkey. Throws `wrong_credentials` for an unknown, removed
 * or copied one, `invalid` for another challenge, `suspended` and `throttled`.
 */
export async function checkPasskey(context: RequestContext, assertion: Assertion): Promise<Verified> {
  const message = 'Too many attempts. Wait a moment and try again.'
  const key = `passkey:${context.caller.addressHash}`
  const limits = [{ key, max: 25, windowSeconds: 5 * 60, message }]
  return rateLimitGuess(context.services.db, limits, () => verifyPasskey(context, assertion))
}

async function verifyPasskey(context: RequestContext, assertion: Assertion): Promise<Verified> {
  const { db, env } = context.services
  const attempt = await takeAuthChallenge(context, 'passkey')
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, assertion.id))
  if (!row) throw isUnknown()
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const answer = await verifyAuthenticationResponse({
    response: { ...assertion, clientExtensionResults: {} },
    expectedChallenge: attempt.secret.challenge ?? '',
    expectedOrigin: env.publicUrl,
    expectedRPID: new URL(env.publicUrl).hostname,
    requireUserVerification: true,
    credential: {
      id: row.credentialId,
      publicKey: new Uint8Array(Buffer.from(row.publicKey, 'base64url')),
      counter: row.counter,
      transports: knownTransports(row.transports),
    },
  }).catch((cause) => {
    throw isUnknown(cause)
  })
  if (!answer.verified) throw isUnknown()
  const { newCounter, credentialBackedUp } = answer.authenticationInfo
  const [used] = await db
    .update(passkeys)
    .set({ counter: newCounter, isBackedUp: credentialBackedUp, lastUsedAt: sql`now()` })
    // A repeated counter means that the passkey was copied.
    .where(sql`${passkeys.id} = ${row.id} and (${newCounter} = 0 or ${passkeys.counter} < ${newCounter})`)
    .returning({ id: passkeys.id })
  if (!used) throw isUnknown()
  const { suspendedAt, suspensionReason, ...member } = await requireMember(db, row.userId)
  if (suspendedAt) throw new AppError('suspended', suspensionWords(suspensionReason))
  return {
    member,
    isStillOpen: sql`exists (select from passkeys where id = ${row.id} and user_id = ${users.id})`,
  }
}

function isUnknown(cause?: unknown): AppError {
  return new AppError(
    'wrong_credentials',
    'This passkey does not open an account here. Use another, or your email and a password.',
    { cause },
  )
}

import {
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import { eq, sql } from 'drizzle-orm'
import { passkeys } from '#db/schema'
import type { RequestContext } from '#src/http/context'
import { beginAttempt, takeAttempt } from '#src/member/attempt'
import { requireMember } from '#src/member/find-member'
import type { Member } from '#src/member/session'
import { suspensionWords } from '#src/member/suspend'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { countAttempt } from '#src/throttle'
import { knownTransports } from './add'
import type { Assertion } from './schema'

/** What the device is asked to sign: it shows the passkeys that it has for this site. Throws `throttled`. */
export async function askForPasskey(
  parts: Pick<Parts, 'db' | 'env'>,
  context: RequestContext,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const options = await generateAuthenticationOptions({
    rpID: new URL(parts.env.publicUrl).hostname,
    userVerification: 'required',
  })
  const secret = { challenge: options.challenge }
  await beginAttempt(parts, context, 'passkey', { userId: null, secret })
  return options
}

/**
 * The member whose passkey signed what was asked. Throws `wrong_credentials` for an unknown, removed or copied
 * one, `invalid` for an answer to another question, `suspended` and `throttled`.
 */
export async function checkPasskey(
  parts: Pick<Parts, 'db' | 'env'>,
  context: RequestContext,
  assertion: Assertion,
): Promise<Member> {
  const { db, env } = parts
  const message = 'Too many tries. Wait a little and try again.'
  const key = `passkey:${context.caller.addressHash}`
  await countAttempt(db, [{ key, max: 25, windowSeconds: 5 * 60, message }])
  const attempt = await takeAttempt(parts, context, 'passkey')
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, assertion.id))
  if (!row) throw isUnknown()
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
    // Two answers with one counter come from a copy.
    .where(sql`${passkeys.id} = ${row.id} and (${newCounter} = 0 or ${passkeys.counter} < ${newCounter})`)
    .returning({ id: passkeys.id })
  if (!used) throw isUnknown()
  const { suspendedAt, suspensionReason, ...member } = await requireMember(db, row.userId)
  if (suspendedAt) throw new Refusal('suspended', suspensionWords(suspensionReason))
  return member
}

function isUnknown(cause?: unknown): Refusal {
  return new Refusal(
    'wrong_credentials',
    'This passkey does not open an account here. Use another, or your email and a password.',
    { cause },
  )
}

import {
  type AuthenticatorTransport,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { and, count, eq } from 'drizzle-orm'
import { isUniqueViolation } from '#db/db'
import { passkeys } from '#db/schema'
import { memberOf } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { hasPassword, requirePassword } from '#src/member/account'
import { attemptIsOver, beginAttempt, takeAttempt } from '#src/member/attempt'
import { deviceWords } from '#src/member/device-words'
import { isFreshSession } from '#src/member/fresh-session'
import { writeNotice } from '#src/member/notice'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { requireWayIn } from '#src/social/enter'
import { isId } from '#src/story/rules'
import { tidyLine } from '#src/story/tidy-text'
import { passkeyNameCharactersMax, passkeysMax } from './rules'
import type { NewPasskey, Proof } from './schema'

/**
 * What the member's device is asked to make a passkey with, after the member has proved to be there: by a sign-in
 * of the last minutes, or the password. Throws `invalid` about `password`, `conflict` for too many, `throttled`.
 */
export async function beginPasskey(
  parts: Pick<Parts, 'db' | 'env'>,
  context: RequestContext,
  proof: Proof,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { db, env } = parts
  const member = memberOf(context.caller)
  await requireProof(parts, context, proof)
  const known = await db
    .select({ id: passkeys.credentialId })
    .from(passkeys)
    .where(eq(passkeys.userId, member.id))
  requireRoom(known.length)
  const options = await generateRegistrationOptions({
    rpName: env.siteName,
    rpID: new URL(env.publicUrl).hostname,
    userID: new TextEncoder().encode(member.id),
    userName: member.email ?? env.siteName,
    attestationType: 'none',
    excludeCredentials: known,
    // Found by the device without a name typed, and only after a fingerprint, a face or a PIN.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const secret = { challenge: options.challenge }
  await beginAttempt(parts, context, 'new-passkey', { userId: member.id, secret })
  return options
}

/** Keeps the passkey that the device made, and says so by mail. Throws `invalid`, `already_exists`, `conflict`. */
export async function addPasskey(
  parts: Pick<Parts, 'db' | 'env' | 'secrets'>,
  context: RequestContext,
  userAgent: string,
  { name, credential }: NewPasskey,
): Promise<{ id: string; name: string }> {
  const { db, env } = parts
  const member = memberOf(context.caller)
  const attempt = await takeAttempt(parts, context, 'new-passkey')
  if (attempt.userId !== member.id) throw attemptIsOver()
  const made = await verifyRegistrationResponse({
    response: {
      ...credential,
      response: { ...credential.response, transports: undefined },
      clientExtensionResults: {},
    },
    expectedChallenge: attempt.secret.challenge ?? '',
    expectedOrigin: env.publicUrl,
    expectedRPID: new URL(env.publicUrl).hostname,
    requireUserVerification: true,
  }).catch((cause) => {
    throw new Refusal(
      'invalid',
      'This passkey could not be checked, so it was not added. Please try again.',
      {
        cause,
      },
    )
  })
  if (!made.verified) throw new Refusal('invalid', 'This passkey could not be checked, so it was not added.')
  const { credential: key, credentialBackedUp } = made.registrationInfo
  try {
    return await db.transaction(async (tx) => {
      const [row] = await tx.select({ known: count() }).from(passkeys).where(eq(passkeys.userId, member.id))
      requireRoom(row?.known ?? 0)
      const [added] = await tx
        .insert(passkeys)
        .values({
          userId: member.id,
          name: tidyLine(name ?? '').slice(0, passkeyNameCharactersMax) || deviceWords(userAgent),
          credentialId: key.id,
          publicKey: Buffer.from(key.publicKey).toString('base64url'),
          counter: key.counter,
          transports: knownTransports(credential.response.transports),
          isBackedUp: credentialBackedUp,
        })
        .returning({ id: passkeys.id, name: passkeys.name })
      if (!added) throw new Error('The insert answered no row.')
      await writeNotice({ ...parts, db: tx }, member.id, 'passkey-added')
      return added
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal('already_exists', 'This passkey is in use already.')
    throw error
  }
}

/** Takes a passkey of the member's away, and says so by mail. Throws `not_found`, and `conflict` for the last way in. */
export async function removePasskey(
  { db, ...parts }: Pick<Parts, 'db' | 'env' | 'secrets'>,
  memberId: string,
  id: string,
): Promise<void> {
  if (!isId(id)) throw isGone()
  await db.transaction(async (tx) => {
    const removed = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, memberId)))
      .returning({ id: passkeys.id })
    if (removed.length === 0) throw isGone()
    await requireWayIn(tx, memberId)
    await writeNotice({ ...parts, db: tx }, memberId, 'passkey-removed')
  })
}

function isGone(): Refusal {
  return new Refusal('not_found', 'There is no such passkey any longer.')
}

async function requireProof(
  { db }: Pick<Parts, 'db'>,
  { caller }: RequestContext,
  { password }: Proof,
): Promise<void> {
  const { id } = memberOf(caller)
  if (await isFreshSession(db, caller.sid)) return
  if (password) return requirePassword(db, id, password, 'password')
  const message = (await hasPassword(db, id))
    ? 'Type your password once more to add a way in.'
    : 'Sign in once more, and add it within ten minutes.'
  throw new Refusal('invalid', message, { fields: [{ path: 'password', message }] })
}

function requireRoom(known: number): void {
  if (known >= passkeysMax)
    throw new Refusal(
      'conflict',
      `There are ${passkeysMax} passkeys already. Remove one that you no longer use.`,
    )
}

const transports: readonly AuthenticatorTransport[] = ['ble', 'hybrid', 'internal', 'nfc', 'usb']

export function knownTransports(said: readonly string[] = []): AuthenticatorTransport[] {
  return transports.filter((each) => said.includes(each))
}

import type { AuthenticatorTransport, PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import { and, count, eq } from 'drizzle-orm'
import { isUniqueViolation } from '#db/failures'
import { passkeys } from '#db/schema'
import { AppError } from '#src/app-error'
import type { Proof } from '#src/member/settings/account-schema'
import { requirePresence } from '#src/member/settings/require-presence'
import { writeNotice } from '#src/member/sign-in/notice'
import { memberOf, signedInOf } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import type { Services } from '#src/services'
import { authChallengeIsOver, beginAuthChallenge, takeAuthChallenge } from '#src/session/auth-challenge'
import { deviceWords } from '#src/session/device-words'
import type { SignedIn } from '#src/session/schema'
import { lockMember, lockSession } from '#src/session/session'
import { isId } from '#src/shape/id'
import { requireSignInMethod } from '#src/social/enter'
import { shorten } from '#src/text/shorten'
import { tidyLine } from '#src/text/tidy-text'
import { passkeyNameCharactersMax, passkeysMax } from './rules'
import type { NewPasskey } from './schema'

/**
 * Returns the options for the member's device to create a passkey, after a proof of presence. Throws what
 * `requirePresence` throws, and `conflict` for too many.
 */
export async function beginPasskey(
  context: RequestContext,
  proof: Proof,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { db, env } = context.services
  const member = memberOf(context.caller)
  await requirePresence(db, signedInOf(context.caller), proof, 'add')
  const known = await db
    .select({ id: passkeys.credentialId })
    .from(passkeys)
    .where(eq(passkeys.userId, member.id))
  requireRoom(known.length)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: env.siteName,
    rpID: new URL(env.publicUrl).hostname,
    userID: new TextEncoder().encode(member.id),
    userName: member.email ?? env.siteName,
    attestationType: 'none',
    excludeCredentials: known,
    // The passkey is found without a typed name, and used only after a fingerprint, a face or a PIN.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const secret = { challenge: options.challenge }
  await beginAuthChallenge(context, 'new-passkey', { userId: member.id, secret })
  return options
}

/** Stores the passkey that the device created, and mails a notice. Throws `invalid`, `already_exists`, `conflict`. */
export async function addPasskey(
  context: RequestContext,
  userAgent: string,
  { name, credential }: NewPasskey,
): Promise<{ id: string; name: string }> {
  const { services } = context
  const { db, env } = services
  const member = memberOf(context.caller)
  const attempt = await takeAuthChallenge(context, 'new-passkey')
  if (attempt.userId !== member.id) throw authChallengeIsOver()
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
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
    throw new AppError(
      'invalid',
      'This passkey could not be checked, so it was not added. Please try again.',
      {
        cause,
      },
    )
  })
  if (!made.verified) throw new AppError('invalid', 'This passkey could not be checked, so it was not added.')
  const { credential: key, credentialBackedUp } = made.registrationInfo
  try {
    return await db.transaction(async (tx) => {
      await lockSession(tx, { id: member.id, sid: context.caller.sid })
      const [row] = await tx.select({ known: count() }).from(passkeys).where(eq(passkeys.userId, member.id))
      requireRoom(row?.known ?? 0)
      const [added] = await tx
        .insert(passkeys)
        .values({
          userId: member.id,
          name: shorten(tidyLine(name ?? ''), passkeyNameCharactersMax) || deviceWords(userAgent),
          credentialId: key.id,
          publicKey: Buffer.from(key.publicKey).toString('base64url'),
          counter: key.counter,
          transports: knownTransports(credential.response.transports),
          isBackedUp: credentialBackedUp,
        })
        .returning({ id: passkeys.id, name: passkeys.name })
      if (!added) throw new Error('The insert answered no row.')
      await writeNotice({ ...services, db: tx }, member.id, 'passkey-added')
      return added
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('already_exists', 'This passkey is already in use.')
    throw error
  }
}

/**
 * Removes one of the member's passkeys after a proof of presence, and mails a notice. Throws what `requirePresence`
 * throws, `not_found`, `conflict` for the last sign-in method, and `sign_in_required`.
 */
export async function removePasskey(
  { db, ...services }: Pick<Services, 'db' | 'env' | 'secrets'>,
  member: SignedIn,
  { id, ...proof }: Proof & { id: string },
): Promise<void> {
  if (!isId(id)) throw isGone()
  await requirePresence(db, member, proof, 'remove')
  const { id: memberId } = member
  await db.transaction(async (tx) => {
    await lockMember(tx, member)
    const removed = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, memberId)))
      .returning({ id: passkeys.id })
    if (removed.length === 0) throw isGone()
    await requireSignInMethod(tx, services.env, memberId)
    await writeNotice({ ...services, db: tx }, memberId, 'passkey-removed')
  })
}

function isGone(): AppError {
  return new AppError('not_found', 'There is no such passkey any longer.')
}

function requireRoom(known: number): void {
  if (known >= passkeysMax)
    throw new AppError('conflict', `There are ${passkeysMax} passkeys already. Remove one you no longer use.`)
}

const transports: readonly AuthenticatorTransport[] = ['ble', 'hybrid', 'internal', 'nfc', 'usb']

export function knownTransports(reported: readonly string[] = []): AuthenticatorTransport[] {
  return transports.filter((each) => reported.includes(each))
}

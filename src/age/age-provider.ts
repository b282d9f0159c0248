import * as t from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '#src/app-error'
import type { RequestContext } from '#src/request/context'
import { randomToken } from '#src/security/keyed-hash'
import type { Services } from '#src/services'
import {
  authChallengeIsOver,
  beginAuthChallenge,
  findAuthChallenge,
  takeAuthChallenge,
} from '#src/session/auth-challenge'
import { urls } from '#src/urls'

/** How long the provider may take: people need time to find their documents. */
const requestSeconds = 600
/** How long a check is valid if the provider sets no time, and at most. */
const checkedSecondsMax = 365 * 24 * 3_600

/** The stored result of a check: its method and its expiry. No name, no birthday. */
export type AgeCheck = { method: string; until: Date }

const Answer = t.Object({
  jti: t.String({ minLength: 1, maxLength: 200 }),
  adult: t.Boolean(),
  method: t.Optional(t.String({ pattern: '^[a-z0-9_-]{1,40}$' })),
  until: t.Optional(t.Integer({ minimum: 0, maximum: 9_999_999_999 })),
})

/** Returns the provider's page with our signed request (docs/age-provider.md). Throws `throttled`. */
export async function askAgeProvider(context: RequestContext, next: string): Promise<URL> {
  const { services } = context
  const { provider, secret } = providerOf(services)
  const question = randomToken()
  await beginAuthChallenge(context, 'age', { userId: null, secret: { question, next } })
  const { SignJWT } = await import('jose')
  const request = await new SignJWT({ return: services.env.publicUrl + urls.ageAnswer() })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(services.env.publicUrl)
    .setAudience(provider.origin)
    .setJti(question)
    .setIssuedAt()
    .setExpirationTime(`${requestSeconds}s`)
    .sign(secret)
  const url = new URL(provider)
  url.searchParams.set('request', request)
  return url
}

/**
 * Verifies the provider's signed answer to this browser's request; each answer is accepted once. Throws `forbidden` if
 * the person is not of age, and `invalid` for an answer with another signature, to another request, or too late.
 */
export async function readAgeAnswer(
  context: RequestContext,
  answer: string,
): Promise<AgeCheck & { next: string }> {
  const { services } = context
  const { provider, secret } = providerOf(services)
  const { jwtVerify } = await import('jose')
  const { payload } = await jwtVerify(answer, secret, {
    algorithms: ['HS256'],
    issuer: provider.origin,
    audience: services.env.publicUrl,
    requiredClaims: ['exp', 'jti'],
  }).catch((cause) => {
    throw untrusted(cause)
  })
  if (!Value.Check(Answer, payload)) throw untrusted()
  const challenge = await findAuthChallenge(context, 'age')
  if (!challenge || challenge.secret.question !== payload.jti) throw authChallengeIsOver()
  const attempt = await takeAuthChallenge(context, 'age')
  if (!payload.adult)
    throw new AppError('forbidden', 'You are not old enough for this library yet. Take good care until then.')
  const latest = Date.now() + checkedSecondsMax * 1_000
  const until = new Date(Math.min(latest, payload.until === undefined ? latest : payload.until * 1_000))
  if (until.getTime() <= Date.now()) throw untrusted()
  return { method: payload.method ?? 'provider', until, next: attempt.secret.next ?? '/' }
}

function providerOf({ env }: Services): { provider: URL; secret: Uint8Array } {
  const provider = URL.parse(env.ageGate)
  if (!provider || !env.ageGateSecret) throw new AppError('not_found', 'There is nothing at this address.')
  return { provider, secret: new TextEncoder().encode(env.ageGateSecret) }
}

function untrusted(cause?: unknown): AppError {
  return new AppError('invalid', 'The answer about your age could not be verified. Please try again.', {
    cause,
  })
}

import { jwtVerify, SignJWT } from 'jose'
import * as t from 'typebox'
import { Value } from 'typebox/value'
import type { RequestContext } from '#src/http/context'
import { randomToken } from '#src/keyed-hash'
import { attemptIsOver, beginAttempt, findAttempt, takeAttempt } from '#src/member/attempt'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { urls } from '#src/urls'

/** How long the provider may take: papers have to be found. */
const requestSeconds = 600
/** A check is good for so long where the provider says nothing, and never for longer. */
const checkedSecondsMax = 365 * 24 * 3_600

/** What is kept of a check: how, and until when. No name, no birthday. */
export type AgeCheck = { method: string; until: Date }

const Answer = t.Object({
  jti: t.String({ minLength: 1, maxLength: 200 }),
  adult: t.Boolean(),
  method: t.Optional(t.String({ pattern: '^[a-z0-9_-]{1,40}$' })),
  until: t.Optional(t.Integer({ minimum: 0, maximum: 9_999_999_999 })),
})

/** The provider's page with our signed question (docs/age-provider.md). Throws `throttled`. */
export async function askAgeProvider(parts: Parts, context: RequestContext, next: string): Promise<URL> {
  const { provider, secret } = providerOf(parts)
  const question = randomToken()
  await beginAttempt(parts, context, 'age', { userId: null, secret: { question, next } })
  const request = await new SignJWT({ return: parts.env.publicUrl + urls.ageAnswer() })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(parts.env.publicUrl)
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
 * Reads the provider's signed answer to the question that this browser asked, once. Throws `forbidden` where the
 * person is not of age, and `invalid` for an answer of somebody else, to another question, or too late.
 */
export async function readAgeAnswer(
  parts: Parts,
  context: RequestContext,
  answer: string,
): Promise<AgeCheck & { next: string }> {
  const { provider, secret } = providerOf(parts)
  const { payload } = await jwtVerify(answer, secret, {
    algorithms: ['HS256'],
    issuer: provider.origin,
    audience: parts.env.publicUrl,
    requiredClaims: ['exp', 'jti'],
  }).catch((cause) => {
    throw untrusted(cause)
  })
  if (!Value.Check(Answer, payload)) throw untrusted()
  const asked = await findAttempt(parts, context, 'age')
  if (!asked || asked.secret.question !== payload.jti) throw attemptIsOver()
  const attempt = await takeAttempt(parts, context, 'age')
  if (!payload.adult)
    throw new Refusal('forbidden', 'You are not old enough for this library yet. Take good care until then.')
  const latest = Date.now() + checkedSecondsMax * 1_000
  const until = new Date(Math.min(latest, payload.until === undefined ? latest : payload.until * 1_000))
  if (until.getTime() <= Date.now()) throw untrusted()
  return { method: payload.method ?? 'provider', until, next: attempt.secret.next ?? '/' }
}

function providerOf({ env }: Parts): { provider: URL; secret: Uint8Array } {
  const provider = URL.parse(env.ageGate)
  if (!provider || !env.ageGateSecret) throw new Refusal('not_found', 'There is nothing at this address.')
  return { provider, secret: new TextEncoder().encode(env.ageGateSecret) }
}

function untrusted(cause?: unknown): Refusal {
  return new Refusal('invalid', 'The answer about your age could not be trusted. Please try once more.', {
    cause,
  })
}

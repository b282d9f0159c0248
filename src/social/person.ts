import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchProtectedResource,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import * as t from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '#src/app-error'
import type { Env } from '#src/env'
import { limited } from '#src/http-client/limited'
import { isUnreachable } from '#src/http-client/unreachable'
import { isMailAddress } from '#src/mail/rules'
import { normaliseEmail } from '#src/member/sign-in/register'
import { tidyName } from '#src/member/tidy-name'
import { urls } from '#src/urls'
import { clientOf, facebookHosts } from './client'
import { type Provider, providerLabels } from './rules'

/** A person's account at a provider. */
export type Person = {
  provider: Provider
  /** The id of the account at the provider, which never changes. */
  subject: string
  email: string | null
  /** Whether the provider has verified the email address. */
  isEmailVerified: boolean
  firstName: string | null
  lastName: string | null
}
/** The values that the answer has to match. */
export type AuthorizationChecks = { state: string; nonce: string; verifier: string }

/** Creates an authorization request, and the provider's address for it. Throws what `clientOf` throws. */
export async function askProvider(
  env: Env,
  provider: Provider,
): Promise<{ url: URL; checks: AuthorizationChecks }> {
  const client = await clientOf(env, provider)
  const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
  const url = buildAuthorizationUrl(client, {
    redirect_uri: env.publicUrl + urls.apiSocialCallback(provider),
    response_type: 'code',
    scope: scopes[provider],
    state: checks.state,
    code_challenge: await calculatePKCECodeChallenge(checks.verifier),
    code_challenge_method: 'S256',
    ...(provider !== 'facebook' && { nonce: checks.nonce }),
    // Apple returns name and email only in a form post.
    ...(provider === 'apple' && { response_mode: 'form_post' }),
  })
  return { url, checks }
}

const scopes: Record<Provider, string> = {
  google: 'openid email profile',
  apple: 'openid name email',
  facebook: 'email public_profile',
}

/**
 * Reads the person of a provider's answer from the callback's parameters. Throws `forbidden` if the person declined,
 * `invalid` if state, nonce, issuer, audience, signature or time are wrong, and `unavailable`.
 */
export async function readPerson(
  env: Env,
  provider: Provider,
  answer: URLSearchParams,
  checks: AuthorizationChecks,
): Promise<Person> {
  const client = await clientOf(env, provider)
  const url = new URL(env.publicUrl + urls.apiSocialCallback(provider))
  for (const [name, value] of answer) if (name !== 'user') url.searchParams.append(name, value)
  try {
    return provider === 'facebook'
      ? await readFacebook(env, client, url, checks)
      : await readOpenId(client, url, checks, { provider, appleUser: answer.get('user') })
  } catch (cause) {
    throw refusalOf(provider, cause)
  }
}

async function readOpenId(
  client: Configuration,
  url: URL,
  checks: AuthorizationChecks,
  { provider, appleUser }: { provider: Provider; appleUser: string | null },
): Promise<Person> {
  const tokens = await authorizationCodeGrant(client, url, {
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    pkceCodeVerifier: checks.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('No ID token came.')
  const email = emailOf(claims.email)
  const names =
    provider === 'apple' ? appleNames(appleUser) : { first: claims.given_name, last: claims.family_name }
  return {
    provider,
    subject: subjectOf(claims.sub),
    email,
    // Apple sends a string.
    isEmailVerified: email !== null && (claims.email_verified === true || claims.email_verified === 'true'),
    firstName: readName(names.first),
    lastName: readName(names.last),
  }
}

const FacebookUser = t.Object({
  id: t.String(),
  email: t.Optional(t.Unknown()),
  first_name: t.Optional(t.Unknown()),
  last_name: t.Optional(t.Unknown()),
})

/** Reads the person from Facebook, which does not report whether an email was verified, so it counts as unverified. */
async function readFacebook(
  env: Env,
  client: Configuration,
  url: URL,
  checks: AuthorizationChecks,
): Promise<Person> {
  const tokens = await authorizationCodeGrant(client, url, {
    expectedState: checks.state,
    pkceCodeVerifier: checks.verifier,
  })
  const { graph } = facebookHosts(env.social.facebook?.baseUrl)
  const me = new URL(`${graph}/me?fields=id,email,first_name,last_name`)
  const response = await fetchProtectedResource(client, tokens.access_token, me, 'GET')
  if (!response.ok) throw new Error(`Facebook answered ${response.status}.`)
  const user: unknown = await limited(response).json()
  if (!Value.Check(FacebookUser, user)) throw new Error('Facebook named nobody.')
  return {
    provider: 'facebook',
    subject: subjectOf(user.id),
    email: emailOf(user.email),
    isEmailVerified: false,
    firstName: readName(user.first_name),
    lastName: readName(user.last_name),
  }
}

/**
 * Returns a subject that OpenID Connect Core §2 allows: at most 255 characters of ASCII. A subject that is not stored
 * exactly as it was sent could equal another person's.
 */
function subjectOf(value: string): string {
  if (!/^[\x20-\x7e]{1,255}$/.test(value))
    throw new Error('The provider sent a subject that OpenID Connect does not allow.')
  return value
}

/** Reads the name that Apple sends once, beside the answer. It is not signed, so it may only be used in a greeting. */
function appleNames(user: string | null): { first?: unknown; last?: unknown } {
  try {
    const { name } = Object(JSON.parse(user ?? '{}'))
    return { first: Object(name).firstName, last: Object(name).lastName }
  } catch {
    return {}
  }
}

function emailOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const email = normaliseEmail(value)
  return isMailAddress(email) ? email : null
}

function readName(value: unknown): string | null {
  return typeof value === 'string' ? tidyName(value) : null
}

function refusalOf(provider: Provider, cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const label = providerLabels[provider]
  if (cause instanceof AuthorizationResponseError && cause.error === 'access_denied')
    return new AppError('forbidden', `You declined at ${label}, so nothing was changed.`)
  return isAway(cause)
    ? new AppError('unavailable', `${label} is not answering right now. Please try again.`, {
        cause,
        retryAfterSeconds: 30,
      })
    : new AppError(
        'invalid',
        `The answer from ${label} could not be verified, so nothing was changed. Please try again.`,
        {
          cause,
        },
      )
}

/** Whether an error means that the provider is unavailable: no connection, a timeout, or a server error. */
function isAway(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code, status } = Object(each)
    if (code === 'OAUTH_TIMEOUT' || isUnreachable(each)) return true
    if (typeof status === 'number' && status >= 500) return true
    if (each.cause instanceof Response && each.cause.status >= 500) return true
  }
  return false
}

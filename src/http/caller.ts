import { readFileSync } from 'node:fs'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Env } from '#src/env'
import { cookieName, unsign } from '#src/http/cookies'
import type { Access } from '#src/http/routes'
import { isSameSecret, keyedHash } from '#src/keyed-hash'
import { isOpen } from '#src/member/open-cookie'
import { operatorSessionSeconds } from '#src/member/rules'
import { findSession, type Member, type Session } from '#src/member/session'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import type { Secrets } from '#src/secrets'
import type { NeverShown } from '#src/story/never-shown'
import { isId } from '#src/story/rules'
import { countAttempt, type Limit, requireAttemptsLeft } from '#src/throttle'

export type Operator = {
  name: string
  via: 'session' | 'bearer'
  /** When the session ends whatever happens; null for a token. */
  endsAt: Date | null
}

/** Who asks. A visitor has neither a member nor an operator; a member may be an operator too. */
export type Caller = {
  member: Member | null
  operator: Operator | null
  /** The SHA-256 of the member's session, to keep it when the others are ended. */
  sid: string | null
  /** The member's session was moved forward by this request. */
  isExtended: boolean
  /** The visitor's functional id, from the signed cookie; null before the first one is given. */
  visitorId: string | null
  /** A keyed hash of the address: what is stored in place of it. */
  addressHash: string
  /** What the member hides; null for everyone who hides nothing. */
  neverShown: NeverShown | null
  /** The member asked for plain titles and icons. */
  isDiscreet: boolean
  /** Who is signed in behind a PIN that was not entered yet; `member` is null then. */
  locked: Member | null
  hasPin: boolean
}

export const cookieNames = {
  member: 'nocturne_session',
  operator: 'nocturne_operator',
  visitor: 'nocturne_visitor',
  age: 'nocturne_age',
  theme: 'nocturne_theme',
  welcome: 'nocturne_welcome',
  evening: 'nocturne_evening',
  open: 'nocturne_open',
} as const

/** Finds out who asks. Reads the database only where a cookie or a token makes a claim. */
export async function findCaller(
  parts: Parts,
  request: Request,
  cookies: Map<string, string>,
  address: string,
): Promise<Caller> {
  const { db, env, secrets } = parts
  const memberToken = cookies.get(cookieName(cookieNames.member, env.isSecure))
  const operatorToken = cookies.get(cookieName(cookieNames.operator, env.isSecure))
  const addressHash = keyedHash(secrets.session, 'address', address)
  const [member, operator] = await Promise.all([
    memberToken ? findSession(db, 'member', memberToken) : null,
    operatorToken ? findSession(db, 'operator', operatorToken) : null,
  ])
  const bearer = request.headers.get('authorization')?.match(/^Bearer (.{1,512})$/)?.[1]
  const isLocked = member !== null && !isOpen(parts, cookies, member)
  return {
    member: isLocked ? null : (member?.member ?? null),
    locked: isLocked ? member.member : null,
    hasPin: member?.hasPin ?? false,
    sid: member?.sid ?? null,
    isExtended: member?.isExtended ?? false,
    operator: bearer ? await checkBearer(parts, bearer, addressHash) : operator && operatorOf(operator),
    visitorId: readVisitorId(parts, cookies),
    addressHash,
    neverShown: member?.neverShown ?? null,
    isDiscreet: member?.isDiscreet ?? false,
  }
}

async function checkBearer(parts: Parts, bearer: string, addressHash: string): Promise<Caller['operator']> {
  const limits = operatorLimits(addressHash)
  if (!isSameSecret(bearer, operatorToken(parts.secrets))) {
    await countAttempt(parts.db, limits)
    return null
  }
  await requireAttemptsLeft(parts.db, limits)
  return { name: 'token', via: 'bearer', endsAt: null }
}

function operatorOf({ data }: Session): Operator {
  const endsAt = new Date(Date.parse(data.startedAt) + operatorSessionSeconds * 1_000)
  return { name: data.operatorName ?? 'operator', via: 'session', endsAt }
}

/** Only failed operator logins count (product.md §8). */
export function operatorLimits(addressHash: string): Limit[] {
  const message = 'Too many wrong operator tokens. Wait a little and try again.'
  return [
    { key: `operator:${addressHash}`, max: 5, windowSeconds: 15 * 60, message },
    { key: 'operator:all', max: 100, windowSeconds: 3_600, message },
  ]
}

/** The token as it is now: `token rotate` takes effect without a restart. */
export function operatorToken(secrets: Secrets): string {
  return secrets.operatorTokenFile
    ? readFileSync(secrets.operatorTokenFile, 'utf8').trim()
    : secrets.operatorToken
}

function readVisitorId(parts: Parts, cookies: Map<string, string>): string | null {
  const value = unsign(
    parts.secrets.session,
    cookieNames.visitor,
    cookies.get(cookieName(cookieNames.visitor, parts.env.isSecure)),
  )
  return value && isId(value) ? value : null
}

/** Refuses a caller who may not open a route. Operator calls answer 401 to members too (product.md §8). */
export function requireAccess(access: Access, caller: Caller): void {
  if (access === 'operator' && !caller.operator) {
    throw new Refusal(
      'operator_required',
      'Admin session required. Sign in with the admin token and try again.',
    )
  }
  if (access === 'member' && caller.locked) throw new Refusal('locked', 'Enter your PIN to go on.')
  if (access === 'member' && !caller.member) throw new Refusal('sign_in_required', 'Sign in to do this.')
}

/**
 * The address that asks: the peer's, or what a trusted proxy says it is. Of X-Forwarded-For the last entry
 * that is not itself a trusted proxy counts; earlier ones can be made up by the sender.
 */
export function addressReader(env: Pick<Env, 'trustProxy'>) {
  const trusted = new BlockList()
  for (const network of env.trustProxy) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    trusted.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  const isTrusted = (address: string) => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  return (request: Request, peer: string): string => {
    const direct = peer.replace(/^::ffff:/, '')
    if (env.trustProxy.length === 0 || !isTrusted(direct)) return direct
    const forwarded = (request.headers.get('x-forwarded-for') ?? '').split(',').filter((each) => each.trim())
    const sender = forwarded.map(readAddress).findLast((each) => each === null || !isTrusted(each))
    return sender ?? direct
  }
}

/** The address of an entry, without the port that some proxies add; null for what is none. */
function readAddress(entry: string): string | null {
  const plain = entry
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
  const address = isIP(plain) ? plain : plain.replace(/:\d+$/, '')
  return isIP(address) ? address.replace(/^::ffff:/, '') : null
}

/** The member of a call that only members may make. */
export function memberOf(caller: Caller): Member {
  if (!caller.member) throw new Refusal('sign_in_required', 'Sign in to do this.')
  return caller.member
}

/** The name under which an operator's change stands in the audit log. */
export function operatorNameOf(caller: Caller): string {
  if (!caller.operator)
    throw new Refusal(
      'operator_required',
      'Admin session required. Sign in with the admin token and try again.',
    )
  return caller.operator.name
}

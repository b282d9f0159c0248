import { AppError } from '#src/app-error'
import type { Access } from '#src/http/route'
import type { Member, SignedIn } from '#src/session/schema'
import type { NeverShown } from '#src/story/schema'

export type Operator = {
  name: string
  via: 'session' | 'bearer'
  /** The SHA-256 of the session token, by which this session stays when all others are ended; null for a token. */
  sid: string | null
  /** When the session ends even if it is in use; null for a token. */
  endsAt: Date | null
}

/** The caller of a request. A visitor has neither a member nor an operator; a member may be an operator too. */
export type Caller = {
  member: Member | null
  operator: Operator | null
  /** The SHA-256 of the member's session token, by which this session stays when all others are ended. */
  sid: string | null
  /** Whether this request has extended the member's session. */
  isExtended: boolean
  /** The visitor's functional id, from the signed cookie; null before the first one is issued. */
  visitorId: string | null
  /**
   * Whether the id is counted against the address that it was issued to. Stories that an uncounted id opens also use up
   * the free stories of its address.
   */
  isVisitorCounted: boolean
  /** A keyed hash of the address (of the /64 of an IPv6 address), which is counted and stored in place of it. */
  addressHash: string
  /** The categories and words that the member hides; null if nothing is hidden. */
  neverShown: NeverShown | null
  /** Whether the member has asked for plain titles and icons. */
  isDiscreet: boolean
  /** The member who is signed in but has not entered their PIN yet; `member` is null then. */
  locked: Member | null
  hasPin: boolean
}

/** The caller of a request before authentication. */
export const nobody: Caller = {
  member: null,
  operator: null,
  sid: null,
  isExtended: false,
  visitorId: null,
  isVisitorCounted: false,
  addressHash: '',
  neverShown: null,
  isDiscreet: false,
  locked: null,
  hasPin: false,
}

const signInCodes = ['sign_in_required', 'operator_required', 'locked'] as const
export type SignInCode = (typeof signInCodes)[number]

/** Whether a refusal is one that a sign-in, the operator's token or the PIN ends. */
export function isSignInCode(code: string): code is SignInCode {
  return signInCodes.some((each) => each === code)
}

/** Throws unless the caller may open the route. Calls for operators answer 401 to members too. */
export function requireAccess(access: Access, caller: Caller): void {
  if (access === 'operator') requireOperator(caller)
  if (access === 'member') memberOf(caller)
}

/** Returns the member of a call for members. Throws for visitors, and for a member who has not entered their PIN. */
export function memberOf(caller: Caller): Member {
  requireUnlocked(caller)
  if (!caller.member) throw new AppError('sign_in_required', 'Sign in to do this.')
  return caller.member
}

/** The member of a caller, with the session in which they are signed in. Throws like `memberOf`. */
export function signedInOf(caller: Caller): Member & SignedIn {
  return { ...memberOf(caller), sid: caller.sid }
}

/** Throws for a member who has not entered their PIN yet. Called before a visitor is asked to sign in or to join. */
export function requireUnlocked({ locked }: Pick<Caller, 'locked'>): void {
  if (locked) throw new AppError('locked', 'Enter your PIN to continue.')
}

/** Returns the operator of a call for operators. Throws for everyone else. */
export function requireOperator(caller: Caller): Operator {
  if (!caller.operator)
    throw new AppError(
      'operator_required',
      'Admin session required. Sign in with the admin token and try again.',
    )
  return caller.operator
}

/** The operator's name in the audit log. */
export function operatorNameOf(caller: Caller): string {
  return requireOperator(caller).name
}

import { AppError } from '#src/app-error'
import type { Access } from '#src/http/route'
import type { Member } from '#src/session/schema'
import type { NeverShown } from '#src/story/schema'

export type Operator = {
  name: string
  via: 'session' | 'bearer'
  /** The SHA-256 of the session, to keep it when the others are ended; null for a token. */
  sid: string | null
  /** When the session ends whatever happens; null for a token. */
  endsAt: Date | null
}

/** The caller of a request. A visitor has neither a member nor an operator; a member may be an operator too. */
export type Caller = {
  member: Member | null
  operator: Operator | null
  /** The SHA-256 of the member's session, to keep it when the others are ended. */
  sid: string | null
  /** The member's session was moved forward by this request. */
  isExtended: boolean
  /** The visitor's functional id, from the signed cookie; null before the first one is given. */
  visitorId: string | null
  /** The id was counted to the address that it was given to: it opens stories of its own. */
  isVisitorCounted: boolean
  /** A keyed hash of the address, of IPv6 of its /64: what is counted and stored in place of it. */
  addressHash: string
  /** The categories and words that the member hides; null where nothing is hidden. */
  neverShown: NeverShown | null
  /** The member asked for plain titles and icons. */
  isDiscreet: boolean
  /** Who is signed in behind a PIN that was not entered yet; `member` is null then. */
  locked: Member | null
  hasPin: boolean
}

/** The caller before authentication. */
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

/** Refuses a caller who may not open a route. Calls for operators answer 401 to members too. */
export function requireAccess(access: Access, caller: Caller): void {
  if (access === 'operator') requireOperator(caller)
  if (access === 'member') memberOf(caller)
}

/** The member of a call for members. Throws for visitors, and for a member behind a PIN. */
export function memberOf(caller: Caller): Member {
  requireUnlocked(caller)
  if (!caller.member) throw new AppError('sign_in_required', 'Sign in to do this.')
  return caller.member
}

/** Refuses a member whose PIN was not entered yet: whoever would ask them to sign in or to join asks for it first. */
export function requireUnlocked({ locked }: Pick<Caller, 'locked'>): void {
  if (locked) throw new AppError('locked', 'Enter your PIN to go on.')
}

/** The operator of a call for operators. Throws for everyone else. */
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

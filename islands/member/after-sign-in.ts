import { ApiError } from '#islands/runtime/api-error'
import { type AuthRequest, emit } from '#islands/runtime/events'

/** The action that a visitor was asked to sign in for: it runs after the sign-in. */
let pendingAction: (() => void) | null = null
let pendingOperatorAction: (() => void) | null = null

const sessionOver = 'You are signed out by now. Sign in to go on.'

/**
 * Opens the sign-in dialog for an action that needs an account; `whenSignedIn` then runs it. A visitor is offered to
 * join, for the `reason`; on the page of a member the session has ended.
 */
export function askToSignIn(whenSignedIn: () => void, reason: string): void {
  const isVisitor = document.body.dataset.owner === ''
  ask(whenSignedIn, isVisitor ? { mode: 'register', reason } : { mode: 'sign-in', reason: sessionOver })
}

/** Asks for the PIN of a session that is locked by now; `whenUnlocked` then runs. */
export function askForPin(whenUnlocked: () => void): void {
  ask(whenUnlocked, { mode: 'sign-in', isLocked: true })
}

function ask(whenSignedIn: () => void, request: Omit<AuthRequest, 'next'>): void {
  pendingAction = whenSignedIn
  emit('nocturne:auth', { ...request, next: location.pathname + location.search })
}

/**
 * Asks to sign in where a call has failed because the session is over, or for the PIN where it is locked, and does the
 * work `again` then; else false. An operator is asked for the token by the console itself (operator-session.tsx): the
 * failure is shown too.
 */
export function isAskedToSignIn(error: unknown, again: () => void): boolean {
  if (!(error instanceof ApiError)) return false
  const { code } = error.answer
  if (code === 'operator_required') pendingOperatorAction = again
  if (code === 'sign_in_required') askToSignIn(again, 'This needs an account. It is free.')
  else if (code === 'locked') askForPin(again)
  else return false
  return true
}

/**
 * Whether a failure was the end of the operator's session; where it was, this waits until the token was entered again.
 */
export async function isOperatorBack(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || error.answer.code !== 'operator_required') return false
  await new Promise<void>((resolve) => {
    pendingOperatorAction = resolve
  })
  return true
}

/** The operator's last action that failed because the session was over, returned once. Null where there is none. */
export function takePendingOperatorAction(): (() => void) | null {
  const taken = pendingOperatorAction
  pendingOperatorAction = null
  return taken
}

/** The action to run after sign-in, returned once. Null where there is none. */
export function takePendingAction(): (() => void) | null {
  const taken = pendingAction
  pendingAction = null
  return taken
}

import { ApiError } from '#islands/runtime/api-error'
import { type AuthRequest, emit } from '#islands/runtime/events'

/** The action that required a sign-in. It runs after the sign-in. */
let pendingAction: (() => void) | null = null
let pendingOperatorAction: (() => void) | null = null

const sessionOver = 'You have been signed out. Sign in to continue.'

/**
 * Opens the sign-in dialog for an action that needs an account; `whenSignedIn` then runs it. A visitor is invited to
 * join, with `reason`. On a member's page the session has ended, so they are asked to sign in.
 */
export function askToSignIn(whenSignedIn: () => void, reason: string): void {
  const isVisitor = document.body.dataset.owner === ''
  ask(whenSignedIn, isVisitor ? { mode: 'register', reason } : { mode: 'sign-in', reason: sessionOver })
}

/** Asks for the PIN of a locked session. `whenUnlocked` runs after that. */
export function askForPin(whenUnlocked: () => void): void {
  ask(whenUnlocked, { mode: 'sign-in', isLocked: true })
}

function ask(whenSignedIn: () => void, request: Omit<AuthRequest, 'next'>): void {
  pendingAction = whenSignedIn
  emit('nocturne:auth', { ...request, next: location.pathname + location.search })
}

/**
 * If a request has failed because the session is over or locked, asks for the sign-in or the PIN, runs `again` after
 * that, and returns true. Otherwise returns false. It is false for an operator too, whom the console itself asks for
 * the token (operator-session.tsx), so that the failure is shown as well.
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
 * Whether a request has failed because the operator's session was over. If so, resolves once the token was entered
 * again.
 */
export async function isOperatorBack(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || error.answer.code !== 'operator_required') return false
  await new Promise<void>((resolve) => {
    pendingOperatorAction = resolve
  })
  return true
}

/** Returns the operator's last action that failed because the session was over, and clears it; otherwise null. */
export function takePendingOperatorAction(): (() => void) | null {
  const taken = pendingOperatorAction
  pendingOperatorAction = null
  return taken
}

/** Returns the action to run after the sign-in, and clears it; otherwise null. */
export function takePendingAction(): (() => void) | null {
  const taken = pendingAction
  pendingAction = null
  return taken
}

import { type AuthRequest, emit } from '#islands/events'

/** What a visitor wanted when asked to sign in: it is done once that is over. */
let wish: (() => void) | null = null

/** Opens the sign-in dialog for something that needs an account; `whenSignedIn` then does it. */
export function askToSignIn(whenSignedIn: () => void, mode: AuthRequest['mode'] = 'sign-in'): void {
  wish = whenSignedIn
  emit('nocturne:auth', { mode, next: location.pathname + location.search })
}

/** The wish, once: whoever takes it grants it. Null where there is none. */
export function takeWish(): (() => void) | null {
  const taken = wish
  wish = null
  return taken
}

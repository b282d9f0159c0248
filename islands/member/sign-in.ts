import { track } from '#islands/listening/track-event'
import { api } from '#islands/runtime/api'
import { ApiError, UserFacingError } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import type { AuthMode } from '#src/ui/auth-form'

/** Greets a member after signing in or joining. */
export function greet(mode: AuthMode): void {
  emit('nocturne:toast', { kind: 'good', title: 'Welcome! 🎉', description: welcomeWords[mode] })
}

const welcomeWords: Record<AuthMode, string> = {
  'sign-in': 'Successfully logged in! Enjoy unlimited stories.',
  register: 'Your account has been created. Enjoy unlimited stories.',
}

/** Signs in or registers with the values of a form. Throws a UserFacingError. */
export async function signIn(mode: AuthMode, form: FormData): Promise<void> {
  const text = (name: string) => String(form.get(name) ?? '')
  const body = { email: text('email'), password: text('password') }
  const sending =
    mode === 'register'
      ? api('POST /api/auth/register', {
          body: { ...body, firstName: text('firstName'), lastName: text('lastName') },
        })
      : api('POST /api/auth/login', { body })
  const { success, message } = await sending.catch((error) => {
    throw new UserFacingError(failureOf(mode, error))
  })
  // A response without `success` is a failure too.
  if (!success) throw new UserFacingError(message || 'Authentication failed')
  track(mode === 'register' ? 'user_register' : 'user_login', {
    contentType: 'auth',
    data: { method: 'email' },
  })
}

/** Returns the server's message about a failure. Without a response the only advice is to try again. */
export function failureOf(mode: AuthMode, error: unknown): string {
  if (error instanceof ApiError) return error.serverMessage ?? 'Authentication failed'
  return mode === 'register' ? 'Registration failed. Please try again.' : 'Login failed. Please try again.'
}

import { ApiError, apiCall, messageOf } from '#islands/api-call'
import { track } from '#islands/track-event'
import type { AuthMode } from '#src/ui/auth-form'
import { urls } from '#src/urls'

/** How signing in or joining ended: null when it went well, else what to say. */
export type SignInFailure = string | null

/** What a successful mode is greeted with (visitor.md §8). */
export const welcomeWords: Record<AuthMode, string> = {
  'sign-in': 'Successfully logged in! Enjoy unlimited stories.',
  register: 'Your account has been created. Enjoy unlimited stories.',
}

/** Sends the form of a mode to the server. */
export async function signIn(mode: AuthMode, form: FormData): Promise<SignInFailure> {
  try {
    const answer = await apiCall(urls.apiAuth(mode === 'register' ? 'register' : 'login'), {
      method: 'POST',
      body: fieldsOf(mode, form),
    })
    if (!isSuccess(answer)) return messageOf(answer) ?? 'Authentication failed'
  } catch (error) {
    return failureOf(mode, error)
  }
  track(mode === 'register' ? 'user_register' : 'user_login', {
    contentType: 'auth',
    data: { method: 'email' },
  })
  return null
}

function fieldsOf(mode: AuthMode, form: FormData): Record<string, string> {
  const names = mode === 'register' ? ['email', 'password', 'firstName', 'lastName'] : ['email', 'password']
  return Object.fromEntries(names.map((name) => [name, String(form.get(name) ?? '')]))
}

/** Lacking success is a failure too (visitor.md §5). */
function isSuccess(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === true
}

/** An answer is repeated in the server's words; where nothing answered, trying again is all there is to say. */
export function failureOf(mode: AuthMode, error: unknown): string {
  if (error instanceof ApiError) return error.said ?? 'Authentication failed'
  return mode === 'register' ? 'Registration failed. Please try again.' : 'Login failed. Please try again.'
}

import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import { ApiError, apiCall, SaidError } from '#islands/api-call'
import { track } from '#islands/track-event'
import { urls } from '#src/urls'

/** Whether this browser knows passkeys; over plain http only this machine's own address has them. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window
}

/** Signs in with a passkey of this device. Answers null when it went well, else what to say. */
export async function signInWithPasskey(): Promise<string | null> {
  try {
    const optionsJSON = (await apiCall(urls.apiPasskeySignIn('options'), {
      method: 'POST',
      body: {},
    })) as Parameters<typeof startAuthentication>[0]['optionsJSON']
    const body = await startAuthentication({ optionsJSON })
    await apiCall(urls.apiPasskeySignIn(), { method: 'POST', body })
  } catch (error) {
    if (error instanceof ApiError) return error.said ?? 'Authentication failed'
    return isNo(error) ? 'No passkey was used. Try again, or use your email and a password.' : awayWords
  }
  track('user_login', { contentType: 'auth', data: { method: 'passkey' } })
  return null
}

/** Has this device make a passkey, and keeps it. Throws an ApiError or a SaidError. */
export async function addPasskey({ name, password }: { name?: string; password?: string }): Promise<unknown> {
  const optionsJSON = (await apiCall(urls.apiPasskeys('options'), {
    method: 'POST',
    body: password ? { password } : {},
  })) as Parameters<typeof startRegistration>[0]['optionsJSON']
  const credential = await startRegistration({ optionsJSON }).catch((error) => {
    const isKnown =
      error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    throw new SaidError(isKnown ? 'This device has a passkey for here already.' : 'No passkey was made.')
  })
  return apiCall(urls.apiPasskeys(), { method: 'POST', body: { name, credential } })
}

const awayWords = 'Login failed. Please try again.'

/** The person closed the device's question, or the device has nothing to offer. */
function isNo(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

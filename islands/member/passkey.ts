import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import { track } from '#islands/listening/track-event'
import { type Answer, api } from '#islands/runtime/api'
import { ApiError, UserFacingError } from '#islands/runtime/api-error'

/** Signs in with a passkey of this device. Throws a UserFacingError. */
export async function signInWithPasskey(): Promise<void> {
  try {
    const optionsJSON = await api('POST /api/auth/passkey/options')
    const body = await startAuthentication({ optionsJSON })
    await api('POST /api/auth/passkey', { body })
  } catch (error) {
    throw new UserFacingError(failureOf(error))
  }
  track('user_login', { contentType: 'auth', data: { method: 'passkey' } })
}

/** Creates a passkey on this device, and registers it. Throws an ApiError or a UserFacingError. */
export async function addPasskey({
  name,
  password,
}: {
  name?: string
  password?: string
}): Promise<Answer<'POST /api/user/passkeys'>> {
  const body = password ? { password } : {}
  const optionsJSON = await api('POST /api/user/passkeys/options', { body })
  const credential = await startRegistration({ optionsJSON }).catch((error) => {
    const isKnown =
      error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    throw new UserFacingError(
      isKnown ? 'This device already has a passkey for this site.' : 'No passkey was created.',
    )
  })
  return api('POST /api/user/passkeys', { body: { name, credential } })
}

function failureOf(error: unknown): string {
  if (error instanceof ApiError) return error.serverMessage ?? 'Authentication failed'
  return isNo(error)
    ? 'No passkey was used. Try again, or use your email and a password.'
    : 'Login failed. Please try again.'
}

/** Whether the person has closed the device's prompt, or the device has no passkey. */
function isNo(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

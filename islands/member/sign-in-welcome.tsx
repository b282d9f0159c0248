import { useEffect } from 'react'
import { track } from '#islands/listening/track-event'
import { greet } from '#islands/member/sign-in'
import type { SignInArrival } from '#src/sign-in/arrival'

/** Shows a toast after a sign-in that left the page. Renders nothing. */
export default function SignInWelcome({ mode, method }: SignInArrival) {
  useEffect(() => {
    greet(mode)
    track(mode === 'register' ? 'user_register' : 'user_login', { contentType: 'auth', data: { method } })
  }, [mode, method])
  return null
}

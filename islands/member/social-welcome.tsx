import { useEffect } from 'react'
import { track } from '#islands/listening/track-event'
import { welcomeWords } from '#islands/member/sign-in'
import { emit } from '#islands/runtime/events'
import type { Provider } from '#src/social/rules'

/** Shows a toast after a sign-in at a provider's page. It renders nothing itself. */
export default function SocialWelcome({ mode, method }: { mode: 'sign-in' | 'register'; method: Provider }) {
  useEffect(() => {
    emit('nocturne:toast', { kind: 'good', title: 'Welcome! 🎉', description: welcomeWords[mode] })
    track(mode === 'register' ? 'user_register' : 'user_login', { contentType: 'auth', data: { method } })
  }, [mode, method])
  return null
}
